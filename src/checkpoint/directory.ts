import { homedir } from 'node:os';
import path from 'node:path';
import { stateDirectory } from '../run/index.js';

/** Where glassbox keeps checkpoints on this machine. */
export function checkpointDirectory(): string {
  return path.join(stateDirectory(process.env, homedir(), process.platform), 'checkpoints');
}
