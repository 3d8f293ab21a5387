/** Codex, the command line agent of OpenAI: `exec --json` and the app-server behind one contract. */
import type { Agent } from '../agent.js';
import { capabilities } from './capability.js';
import { command, outputFlags, program } from './command.js';
import { detect } from './detect.js';
import { createExecProtocol } from './exec.js';

export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  kind: 'codex',
  program,
  capabilities,
  outputFlags,
  detect,
  command,
  createProtocol(request) {
    return createExecProtocol(request);
  },
};
