/**
 * From a request to Kimi Code's argument vector. Its one-shot mode (`-p`) runs every tool without asking and tells the session only when
 * all went well, so glassbox always talks to it (`acp`) and only reads what `-p` printed for others.
 */
import { BIN_DIRS } from '../argument.js';
import type { Command, CommandRequest, Program } from '../command.js';
import { BY_WORD } from '../ending-ladder.js';
import { trace } from './trace.js';

export const outputFlags: readonly string[] = ['--output-format', 'stream-json'];

export const program: Program = {
  names: trace.programs,
  install: 'npm install -g @moonshot-ai/kimi-code',
  searchDirs: ['~/.kimi-code/bin', ...BIN_DIRS],
  versionArgs: ['--version'],
  dropEnv: ['KIMI_MODEL_OUTPUT_FORMAT'],
  reservedFlags: [
    '--login',
    '-p',
    '--prompt',
    '--output-format',
    '-S',
    '--session',
    '-r',
    '--resume',
    '-c',
    '--continue',
  ],
};

export function command({ extraArgs = [] }: CommandRequest): Command {
  return { program: 'kimi', args: ['acp', ...extraArgs], stdin: { kind: 'lines' }, ending: BY_WORD };
}
