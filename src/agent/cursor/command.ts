/** From a request to the argument vector of Cursor's agent, as its documents describe it. */
import { BIN_DIRS, valued } from '../argument.js';
import type { Command, CommandRequest, Permission, Program } from '../command.js';
import { BY_SIGNAL } from '../ending-ladder.js';
import { trace } from './trace.js';

export const outputFlags: readonly string[] = ['--output-format', 'stream-json'];

export const program: Program = {
  names: trace.programs,
  install: 'curl https://cursor.com/install -fsS | bash',
  searchDirs: BIN_DIRS,
  versionArgs: ['--version'],
  dropEnv: ['CURSOR_AGENT'],
  reservedFlags: [
    '-p',
    '--print',
    '--output-format',
    '--stream-partial-output',
    '--trust',
    '-f',
    '--force',
    '--mode',
    '--resume',
    '--continue',
    '-m',
    '--model',
  ],
};

export function command({ prompt = '', permission, deltas, model, resume, extraArgs = [] }: CommandRequest): Command {
  const args = [
    '--print',
    ...outputFlags,
    ...(deltas ? ['--stream-partial-output'] : []),
    '--trust',
    ...permissionFlags[permission],
    ...valued('--model', model),
    ...(resume === 'latest' ? ['--continue'] : valued('--resume', resume)),
    ...extraArgs,
  ];
  // By stdin a prompt can be neither a flag nor too long.
  return { program: 'cursor-agent', args, stdin: { kind: 'text', text: prompt }, ending };
}

/** Nobody can be asked: without `--force` what would have to be is rejected. */
const permissionFlags: Readonly<Record<Permission, readonly string[]>> = {
  ask: [],
  deny: [],
  'accept-edits': [],
  plan: ['--mode=plan'],
  bypass: ['--force'],
};

const ending = BY_SIGNAL;
