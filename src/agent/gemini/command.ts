/** From a request to Gemini CLI's argument vector. */
import { BIN_DIRS, valued } from '../argument.js';
import type { Command, CommandRequest, Permission, Program } from '../command.js';
import { BY_SIGNAL } from '../ending-ladder.js';
import { trace } from './trace.js';

export const outputFlags: readonly string[] = ['--output-format', 'stream-json'];

export const program: Program = {
  names: trace.programs,
  install: 'npm install -g @google/gemini-cli',
  searchDirs: BIN_DIRS,
  versionArgs: ['--version'],
  dropEnv: ['GEMINI_CLI', 'GEMINI_CLI_NO_RELAUNCH'],
  reservedFlags: [
    '-p',
    '--prompt',
    '-i',
    '--prompt-interactive',
    '-o',
    '--output-format',
    '-y',
    '--yolo',
    '--approval-mode',
    '--skip-trust',
    '-r',
    '--resume',
    '--session-id',
  ],
};

/** A tool that would have to ask is not offered to the model at all, so `ask` and `deny` are the same here. */
const modes: Readonly<Record<Permission, string>> = {
  ask: 'default',
  'accept-edits': 'auto_edit',
  plan: 'plan',
  deny: 'default',
  bypass: 'yolo',
};

/** The launcher forwards no signal, so it goes to the group; the stream then stops without a result and exit 0. */
const ending = BY_SIGNAL;

export function command(request: CommandRequest): Command {
  const args = [
    ...outputFlags,
    '--skip-trust',
    ...valued('--approval-mode', modes[request.permission]),
    ...valued('--model', request.model),
    ...(request.addDirs ?? []).flatMap((dir) => valued('--include-directories', dir)),
    ...(request.allowedTools ?? []).flatMap((tool) => valued('--allowed-tools', tool)),
    ...valued('--resume', request.resume),
    ...valued('--session-id', request.sessionId),
    ...(request.extraArgs ?? []),
  ];
  // By stdin a prompt can be neither a flag nor too long.
  return { program: 'gemini', args, stdin: { kind: 'text', text: request.prompt ?? '' }, ending };
}
