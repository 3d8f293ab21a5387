/** From a request to Qwen Code's argument vector. */
import { BIN_DIRS, valued } from '../argument.js';
import type { Command, CommandRequest, Permission, Program } from '../command.js';
import { BY_SIGNAL, BY_WORD } from '../ending-ladder.js';
import { trace } from './trace.js';

export const outputFlags: readonly string[] = ['--output-format', 'stream-json'];

export const program: Program = {
  names: trace.programs,
  install: 'npm install -g @qwen-code/qwen-code',
  searchDirs: BIN_DIRS,
  versionArgs: ['--version'],
  dropEnv: ['QWEN_CODE_NO_RELAUNCH', 'QWEN_CODE_SESSION_ID'],
  reservedFlags: [
    '-p',
    '--prompt',
    '-o',
    '--output-format',
    '--input-format',
    '--include-partial-messages',
    '-y',
    '--yolo',
    '--approval-mode',
    '-r',
    '--resume',
    '-c',
    '--continue',
    '--fork-session',
    '--session-id',
  ],
};

export function command(request: CommandRequest): Command {
  const args = [...outputFlags, ...options(request), ...(request.extraArgs ?? [])];
  if (request.mode === 'conversation') {
    const two = ['--input-format', 'stream-json', ...args];
    return { program: 'qwen', args: two, stdin: { kind: 'lines' }, ending: conversationEnding };
  }
  // By stdin a prompt can be neither a flag nor too long.
  return { program: 'qwen', args, stdin: { kind: 'text', text: request.prompt ?? '' }, ending: oneShotEnding };
}

/** Said aloud, because the default mode without flags is `auto`. */
const modes: Readonly<Record<Permission, string>> = {
  ask: 'default',
  'accept-edits': 'auto-edit',
  plan: 'plan',
  deny: 'default',
  bypass: 'yolo',
};

/** The launcher does not forward signals, so they go to the whole group; the agent then exits without a result. */
const oneShotEnding = BY_SIGNAL;

const conversationEnding = BY_WORD;

function options(request: CommandRequest): string[] {
  const { resume } = request;
  return [
    ...valued('--approval-mode', modes[request.permission]),
    ...(request.deltas ? ['--include-partial-messages'] : []),
    ...valued('--model', request.model),
    ...(request.addDirs ?? []).flatMap((dir) => valued('--include-directories', dir)),
    ...(request.allowedTools ?? []).flatMap((tool) => valued('--allowed-tools', tool)),
    ...(request.disallowedTools ?? []).flatMap((tool) => valued('--exclude-tools', tool)),
    ...valued('--mcp-config', request.mcpConfig),
    ...valued('--append-system-prompt', request.systemPrompt),
    ...valued('--json-schema', request.outputSchema === undefined ? undefined : JSON.stringify(request.outputSchema)),
    ...valued('--max-session-turns', request.maxTurns),
    ...(resume === 'latest' ? ['--continue'] : valued('--resume', resume)),
    ...(request.fork ? ['--fork-session'] : []),
    ...valued('--session-id', request.sessionId),
  ];
}
