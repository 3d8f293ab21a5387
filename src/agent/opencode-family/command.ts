/** From a request to the argument vector of a program of the opencode family: `run` for one prompt, `acp` for conversations. */
import { valued } from '../argument.js';
import type { Command, CommandRequest, EndingLadder, Permission } from '../command.js';
import { BY_WORD } from '../ending-ladder.js';

export const outputFlags: readonly string[] = ['--format', 'json'];

export const reservedFlags: readonly string[] = [
  '--format',
  '--auto',
  '-c',
  '--continue',
  '-s',
  '--session',
  '--fork',
  '-m',
  '--model',
  '--thinking',
  '-i',
  '--interactive',
  '--attach',
  '--dir',
];

/** `run` can neither ask nor be talked to, nor be given MCP servers. */
export function usesAcp({ mode, permission, mcpConfig }: Partial<CommandRequest>): boolean {
  return mode === 'conversation' || permission === 'ask' || mcpConfig !== undefined;
}

/** `prefix` is how the program begins the names of its variables. */
export function familyCommand(program: string, prefix: string, request: CommandRequest): Command {
  const extra = request.extraArgs ?? [];
  const asks = usesAcp(request);
  const env = { [`${prefix}_PERMISSION`]: JSON.stringify(rules(request.permission, asks ? 'ask' : 'deny')) };
  if (asks) return { program, args: ['acp', ...extra], stdin: { kind: 'lines' }, env, ending: conversationEnding };
  const args = ['run', ...outputFlags, '--thinking', ...options(request), ...extra];
  // On the command line a prompt with spaces would reach the model in quotes; by stdin it arrives as it is.
  return { program, args, stdin: { kind: 'text', text: request.prompt ?? '' }, env, ending: oneShotEnding };
}

function options({ model, permission, resume, fork }: CommandRequest): string[] {
  return [
    ...valued('--model', model),
    ...(permission === 'plan' ? ['--agent=plan'] : []),
    ...(permission === 'bypass' ? ['--auto'] : []),
    ...(resume === 'latest' ? ['--continue'] : valued('--session', resume)),
    ...(fork === true ? ['--fork'] : []),
  ];
}

/**
 * By default these programs run everything without asking. What only looks is allowed; the rest is asked for, or refused where nobody
 * can be asked, because an `ask` that nobody answers would end the run instead of telling the model.
 */
function rules(permission: Permission, otherwise: 'ask' | 'deny'): Record<string, unknown> {
  if (permission === 'bypass') return { '*': 'allow' };
  const rest = permission === 'plan' || permission === 'deny' ? 'deny' : otherwise;
  const looking = ['list', 'glob', 'grep', 'lsp', 'todowrite', 'todoread', 'skill', 'task'];
  return {
    '*': rest,
    read: { '*': 'allow', '*.env': rest, '*.env.*': rest, '*.env.example': 'allow' },
    ...Object.fromEntries(looking.map((tool) => [tool, 'allow'])),
    ...(permission === 'accept-edits' && { edit: 'allow' }),
  };
}

/** No signal ends the shell command that runs; `run` finds it by its environment. */
const oneShotEnding: EndingLadder = [
  { do: 'signal', signal: 'SIGINT', waitMs: 1500 },
  { do: 'signal', signal: 'SIGTERM', waitMs: 1500 },
];

const conversationEnding = BY_WORD;
