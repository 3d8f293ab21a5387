/**
 * From a request to Droid's argument vector. `stream-json` cannot ask, and without flags it runs whatever the model calls harmless;
 * so only a run that may do everything uses it, and every other one talks JSON-RPC, where Droid asks before each call.
 */
import { BIN_DIRS, valued } from '../argument.js';
import type { Command, CommandRequest, EndingLadder, Program } from '../command.js';
import { trace } from './trace.js';

export const outputFlags: readonly string[] = ['--output-format', 'stream-json'];

export const program: Program = {
  names: trace.programs,
  install: 'npm install -g @factory/cli',
  searchDirs: BIN_DIRS,
  versionArgs: ['--version'],
  dropEnv: [],
  reservedFlags: [
    '-o',
    '--output-format',
    '--input-format',
    '-f',
    '--file',
    '-s',
    '--session-id',
    '--fork',
    '-m',
    '--model',
    '--auto',
    '--skip-permissions-unsafe',
    '--use-spec',
    '--cwd',
  ],
};

/** Which of them a model knows is for the model. */
export const efforts: readonly string[] = ['off', 'none', 'low', 'medium', 'high', 'xhigh', 'max'];

/** A session is resumed by JSON-RPC too: by a flag Droid asks its maker's server for it, and fails without a word. */
export function usesRpc({ mode, permission, resume, fork }: Partial<CommandRequest>): boolean {
  return mode === 'conversation' || permission !== 'bypass' || (resume !== undefined && fork !== true);
}

export function command(request: CommandRequest): Command {
  const { model, resume, allowedTools, disallowedTools, extraArgs = [] } = request;
  const chosen = [
    ...valued('--model', model),
    ...valued('--enabled-tools', allowedTools?.join(',')),
    ...valued('--disabled-tools', disallowedTools?.join(',')),
  ];
  if (usesRpc(request)) {
    const formats = ['--output-format', 'stream-jsonrpc', '--input-format', 'stream-jsonrpc'];
    const args = ['exec', ...formats, ...chosen, ...extraArgs];
    return { program: 'droid', args, stdin: { kind: 'lines' }, ending: conversationEnding };
  }
  const args = [
    'exec',
    ...outputFlags,
    '--skip-permissions-unsafe',
    ...chosen,
    ...valued('--reasoning-effort', request.effort),
    ...valued('--fork', resume),
    ...extraArgs,
  ];
  // By stdin a prompt can be neither a flag nor too long.
  return { program: 'droid', args, stdin: { kind: 'text', text: request.prompt ?? '' }, ending: oneShotEnding };
}

/** A signal ends only the command that runs; the agent goes on, so there is no use in waiting long. */
const oneShotEnding: EndingLadder = [{ do: 'signal', signal: 'SIGTERM', waitMs: 1000 }];

const conversationEnding: EndingLadder = [
  { do: 'interrupt', waitMs: 1500 },
  { do: 'close-stdin', waitMs: 1500 },
  { do: 'signal', signal: 'SIGTERM', waitMs: 1000 },
];
