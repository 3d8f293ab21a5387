/** From a request to Claude Code's argument vector: no shell, no value that can turn into a flag, no long prompt on the command line. */
import { BIN_DIRS, valued } from '../argument.js';
import type { Command, CommandRequest, Permission, Program } from '../command.js';
import { BY_SIGNAL, BY_WORD } from '../ending-ladder.js';
import { trace } from './trace.js';

/** `--verbose` is mandatory: without it `--print` refuses `stream-json`. */
export const outputFlags: readonly string[] = ['--output-format', 'stream-json', '--verbose'];

export const program: Program = {
  names: trace.programs,
  install: 'npm install -g @anthropic-ai/claude-code',
  searchDirs: ['~/.claude/local', ...BIN_DIRS, '~/.deno/bin', '~/.cargo/bin'],
  versionArgs: ['--version'],
  // Not all of CLAUDE_CODE_*: people set their provider, token and limits there.
  dropEnv: [
    'CLAUDECODE',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_SSE_PORT',
    'CLAUDE_CODE_SDK_*',
    'CLAUDE_AGENT_SDK_VERSION',
  ],
  reservedFlags: [
    '-p',
    '--print',
    '--output-format',
    '--input-format',
    '--verbose',
    '--permission-prompt-tool',
    '--permission-mode',
    '--dangerously-skip-permissions',
    '--allow-dangerously-skip-permissions',
    '--include-partial-messages',
    '-r',
    '--resume',
    '-c',
    '--continue',
    '--fork-session',
    '--resume-session-at',
    '--session-id',
  ],
};

export const efforts: readonly string[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** The argument vector for a request; see `test/agent/claude/command.test.ts` for every shape. */
export function command(request: CommandRequest): Command {
  const { prompt = '', mode } = request;
  const args = ['--print', ...outputFlags, ...conversationFlags(request), ...options(request)];
  if (request.extraArgs) args.push(...request.extraArgs);
  if (mode === 'conversation') return { program: 'claude', args, stdin: { kind: 'lines' }, ending: conversationEnding };
  if (byteLength(prompt) > LONGEST_ARGUMENT_BYTES) {
    return { program: 'claude', args, stdin: { kind: 'text', text: prompt }, ending: oneShotEnding };
  }
  // Behind `--` a prompt may begin with a dash, and no variadic flag can swallow it.
  return { program: 'claude', args: [...args, '--', prompt], stdin: { kind: 'none' }, ending: oneShotEnding };
}

/** Linux takes 128 KiB per argument; prompts stay well below it. */
const LONGEST_ARGUMENT_BYTES = 100 * 1024;

const permissionModes: Record<Permission, string> = {
  // Said aloud, because some versions start in a mode of their own (2.1.300: auto).
  ask: 'default',
  'accept-edits': 'acceptEdits',
  plan: 'plan',
  // Without anybody to ask, the default mode refuses what is not allowed beforehand.
  deny: 'default',
  bypass: 'bypassPermissions',
};

/** SIGINT first, because it makes the program print its result and cost; it then exits by itself. */
const oneShotEnding = BY_SIGNAL;

const conversationEnding = BY_WORD;

function conversationFlags({ mode }: CommandRequest): string[] {
  return mode === 'conversation' ? ['--input-format', 'stream-json', '--permission-prompt-tool', 'stdio'] : [];
}

function options(request: CommandRequest): string[] {
  const { resume, outputSchema } = request;
  return [
    ...valued('--model', request.model),
    ...valued('--effort', request.effort),
    ...valued('--permission-mode', permissionModes[request.permission]),
    ...(request.deltas ? ['--include-partial-messages'] : []),
    ...(request.addDirs ?? []).flatMap((dir) => valued('--add-dir', dir)),
    ...valued('--allowedTools', joined(request.allowedTools)),
    ...valued('--disallowedTools', joined(request.disallowedTools)),
    ...valued('--mcp-config', request.mcpConfig),
    ...valued('--append-system-prompt', request.systemPrompt),
    ...valued('--json-schema', outputSchema === undefined ? undefined : JSON.stringify(outputSchema)),
    ...valued('--max-turns', request.maxTurns),
    ...valued('--max-budget-usd', request.budgetUsd),
    ...(resume === 'latest' ? ['--continue'] : valued('--resume', resume)),
    // What came after that message is left in the session that it is copied from.
    ...valued('--resume-session-at', request.resumeAt),
    ...(request.fork || request.resumeAt !== undefined ? ['--fork-session'] : []),
    ...valued('--session-id', request.sessionId),
  ];
}

function joined(names: readonly string[] | undefined): string | undefined {
  return names?.length ? names.join(',') : undefined;
}

/** UTF-8 size without an encoder, which pure code does not have. */
function byteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
