/** Where things of hooks are: the agent's settings of this user, and our own folder, which nobody else may enter. */
import { join } from 'node:path';
import type { Hooks } from '../agent/hooks.js';
import { GlassboxError } from '../event/index.js';

export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** Of glassbox. */
  stateFolder: string;
}

export function settingsPath({ settings }: Hooks, { env, home }: Surroundings): string {
  for (const place of settings) {
    const [, name, rest = ''] = /^\$(\w+)(.*)$/s.exec(place) ?? [];
    if (name === undefined) return place.replace(/^~/, home);
    if (env[name]) return join(env[name], rest);
  }
  throw new GlassboxError('not-found', 'This agent has no settings of the user.');
}

export function hookFolder({ stateFolder }: Surroundings): string {
  return join(stateFolder, 'hooks');
}

/** What the kernel takes as the name of a socket, on the system that takes least. */
const LONGEST_SOCKET = 103;

export function socketPath(surroundings: Surroundings): string {
  const path = join(hookFolder(surroundings), 'hook.sock');
  if (Buffer.byteLength(path) <= LONGEST_SOCKET) return path;
  throw new GlassboxError(
    'invalid-request',
    `The name of the socket would be too long (${path}). Choose a shorter folder with GLASSBOX_STATE_DIR.`,
  );
}
