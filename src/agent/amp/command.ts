/** From a request to Amp's argument vector. */
import { BIN_DIRS, valued } from '../argument.js';
import type { Command, CommandRequest, Permission, Program } from '../command.js';
import { BY_SIGNAL } from '../ending-ladder.js';
import { members, parsed } from '../field.js';
import { TOOLS } from './tools.js';
import { trace } from './trace.js';

/** The second flag is needed for thinking; without it Amp says nothing of it. */
export const outputFlags: readonly string[] = ['--stream-json', '--stream-json-thinking'];

export const program: Program = {
  names: trace.programs,
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
    '--settings-file',
  ],
};

export const efforts: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

export function command(request: CommandRequest): Command {
  const conversation = request.mode === 'conversation';
  const args = [
    ...(request.resume === undefined ? [] : ['threads', 'continue']),
    ...(request.resume === 'latest' ? ['--last'] : []),
    '--execute',
    ...outputFlags,
    ...(conversation ? ['--stream-json-input'] : []),
    ...(request.permission === 'bypass' ? ['--dangerously-allow-all'] : valued('--settings-file', SETTINGS)),
    ...valued('--effort', request.effort),
    ...valued('--mcp-config', withoutWrapper(request.mcpConfig)),
    ...(request.extraArgs ?? []),
    // Behind `--` an id may begin with a dash.
    ...(request.resume === undefined || request.resume === 'latest' ? [] : ['--', request.resume]),
  ];
  // By stdin a prompt can be neither a flag nor too long.
  const stdin = conversation ? ({ kind: 'lines' } as const) : ({ kind: 'text', text: request.prompt ?? '' } as const);
  if (request.permission === 'bypass') return { program: 'amp', args, stdin, ending };
  const text = JSON.stringify({ 'amp.permissions': rules(request.permission) });
  return { program: 'amp', args, stdin, files: [{ placeholder: SETTINGS, name: 'settings.json', text }], ending };
}

/** Amp takes the servers by their names and refuses the `mcpServers` that other agents want around them. */
function withoutWrapper(mcpConfig: string | undefined): string | undefined {
  const { mcpServers } = members(parsed(mcpConfig ?? ''));
  return mcpServers === undefined ? mcpConfig : JSON.stringify(mcpServers);
}

/** Odd enough to stand in no argument, because it is replaced wherever it stands. */
const SETTINGS = '{glassbox:settings}';

/**
 * By its own rules Amp runs nearly everything unasked, `node -e` included, and it can ask nobody. So what only looks is allowed and
 * the rest refused; there is no other way to say it than settings, which stand in place of the user's own.
 */
function rules(permission: Permission): { tool: string; action: 'allow' | 'reject' }[] {
  const kinds = ['read', 'search', 'think', ...(permission === 'accept-edits' ? (['edit'] as const) : [])] as const;
  const allowed = kinds.flatMap((kind) => TOOLS.names(kind));
  return [...allowed.map((tool) => ({ tool, action: 'allow' as const })), { tool: '*', action: 'reject' }];
}

/** Both signals give an error result and exit 0; a message that ended early on the server hangs for ever. */
const ending = BY_SIGNAL;
