/** From a request to Amp's argument vector. */
import { BIN_DIRS, valued } from '../argument.js';
import type { Command, CommandRequest, Program } from '../command.js';
import { BY_SIGNAL } from '../ending.js';

/** The second flag is needed for thinking; without it Amp says nothing of it. */
export const outputFlags: readonly string[] = ['--stream-json', '--stream-json-thinking'];

export const program: Program = {
  names: ['amp'],
  install: 'npm install -g @ampcode/cli',
  searchDirs: BIN_DIRS,
  versionArgs: ['--version'],
  dropEnv: ['AMP_THREAD_ID', 'AMP_CURRENT_THREAD_ID'],
  reservedFlags: [
    '-x',
    '--execute',
    '--stream-json',
    '--stream-json-thinking',
    '--stream-json-input',
    '--dangerously-allow-all',
  ],
};

export function command(request: CommandRequest): Command {
  const conversation = request.mode === 'conversation';
  const args = [
    ...(request.resume === undefined ? [] : ['threads', request.fork ? 'fork' : 'continue']),
    ...(request.resume === 'latest' ? ['--last'] : []),
    '--execute',
    ...outputFlags,
    ...(conversation ? ['--stream-json-input'] : []),
    ...(request.permission === 'bypass' ? ['--dangerously-allow-all'] : []),
    ...valued('--mcp-config', request.mcpConfig),
    ...(request.extraArgs ?? []),
    // Behind `--` an id may begin with a dash.
    ...(request.resume === undefined || request.resume === 'latest' ? [] : ['--', request.resume]),
  ];
  // By stdin a prompt can be neither a flag nor too long.
  const stdin = conversation ? ({ kind: 'lines' } as const) : ({ kind: 'text', text: request.prompt ?? '' } as const);
  return { program: 'amp', args, stdin, ending };
}

/** Both signals give an error result and exit 0; a message that ended early on the server hangs for ever. */
const ending = BY_SIGNAL;
