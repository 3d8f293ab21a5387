/** From a request to Codex's argument vector: `exec --json` when nobody will be asked, the app-server for conversations. */
import { BIN_DIRS, valued } from '../argument.js';
import type { Command, CommandRequest, Permission, Program } from '../command.js';
import { BY_SIGNAL, BY_WORD } from '../ending-ladder.js';
import { isObject, members, parsed } from '../field.js';
import { trace } from './trace.js';

export const outputFlags: readonly string[] = ['--json'];

export const program: Program = {
  names: trace.programs,
  install: 'npm install -g @openai/codex',
  searchDirs: BIN_DIRS,
  versionArgs: ['--version'],
  // What Codex sets for the commands it runs; CODEX_HOME and CODEX_API_KEY are the user's own.
  dropEnv: ['CODEX_SANDBOX*', 'CODEX_THREAD_ID', 'CODEX_CI', 'CODEX_INTERNAL_ORIGINATOR_OVERRIDE'],
  reservedFlags: [
    '--json',
    '--experimental-json',
    '-s',
    '--sandbox',
    '-a',
    '--ask-for-approval',
    '--approve-for-me',
    '--full-auto',
    '--dangerously-bypass-approvals-and-sandbox',
    '--yolo',
    '--skip-git-repo-check',
    '-m',
    '--model',
    '--output-schema',
    '-C',
    '--cd',
    '--listen',
  ],
};

/** Which of them a model knows is for the model; Codex passes on any. */
export const efforts: readonly string[] = ['minimal', 'low', 'medium', 'high', 'xhigh'];

/** `exec` can neither ask nor be talked to, cannot fork "the latest" session, and no session at a turn of it. */
export function usesAppServer({ mode, permission, fork, resume, resumeAt }: Partial<CommandRequest>): boolean {
  if (mode === 'conversation' || permission === 'ask' || resumeAt !== undefined) return true;
  return fork === true && resume === 'latest';
}

export function command(request: CommandRequest): Command {
  const extra = request.extraArgs ?? [];
  if (usesAppServer(request)) {
    const args = ['app-server', ...extra];
    return { program: 'codex', args, stdin: { kind: 'lines' }, ending: conversationEnding };
  }
  const args = ['exec', '--json', ...UNVERSIONED, ...options(request), ...extra, ...sessionArguments(request), '-'];
  // The prompt goes by stdin, where it can neither be a flag nor be too long.
  const stdin = { kind: 'text', text: request.prompt ?? '' } as const;
  if (request.outputSchema === undefined) return { program: 'codex', args, stdin, ending: oneShotEnding };
  const files = [{ placeholder: SCHEMA, name: 'schema.json', text: JSON.stringify(request.outputSchema) }];
  return { program: 'codex', args, stdin, files, ending: oneShotEnding };
}

/** How far the model may reach, in Codex's own words. */
export const sandboxes: Readonly<Record<Permission, string>> = {
  // Whoever says yes to a command wants it to work.
  ask: 'workspace-write',
  'accept-edits': 'workspace-write',
  plan: 'read-only',
  deny: 'read-only',
  bypass: 'danger-full-access',
};

/** Configuration that has no flag of its own: values for `-c` and for the app-server's `config`. */
export function configuration({ mcpConfig, effort }: Partial<CommandRequest>): Record<string, unknown> {
  return { ...(effort !== undefined && { model_reasoning_effort: effort }), ...serversOf(mcpConfig) };
}

function serversOf(mcpConfig: string | undefined): Record<string, unknown> {
  if (mcpConfig === undefined) return {};
  const config = parsed(mcpConfig);
  // What is not JSON is handed on as it is, so that Codex refuses it aloud.
  if (!isObject(config)) return { mcp_servers: mcpConfig };
  const servers = Object.entries(members(config.mcpServers ?? config.mcp_servers ?? config));
  return Object.fromEntries(servers.map(([name, server]) => [`mcp_servers.${name}`, withoutType(server)]));
}

/** SIGINT, because it ends the commands that Codex runs as well; SIGTERM leaves them alive. */
const oneShotEnding = BY_SIGNAL;

/** Here it is the other way round: SIGTERM ends the commands, SIGINT leaves them alive. */
const conversationEnding = BY_WORD;

/** Without it `exec` refuses a directory outside a repository, which a conversation does not. How far it may reach is said by the sandbox. */
const UNVERSIONED = ['--skip-git-repo-check'];

/** Odd enough to stand in no prompt, because it is replaced wherever it stands. */
const SCHEMA = '{glassbox:schema}';

function options(request: CommandRequest): string[] {
  return [
    ...valued('--model', request.model),
    ...(request.permission === 'bypass'
      ? ['--dangerously-bypass-approvals-and-sandbox']
      : valued('--sandbox', sandboxes[request.permission])),
    ...(request.addDirs ?? []).flatMap((dir) => valued('--add-dir', dir)),
    ...(request.systemPrompt === undefined ? [] : ['-c', `developer_instructions=${toToml(request.systemPrompt)}`]),
    ...Object.entries(configuration(request)).flatMap(([key, value]) => ['-c', `${key}=${toToml(value)}`]),
    ...(request.outputSchema === undefined ? [] : ['--output-schema', SCHEMA]),
  ];
}

/** Behind `--` an id may begin with a dash. Options stand before the subcommand, which does not take all of them. */
function sessionArguments({ resume, fork }: CommandRequest): string[] {
  if (resume === undefined) return [];
  if (resume === 'latest') return ['resume', '--last'];
  return [fork ? 'fork' : 'resume', '--', resume];
}

/** Codex tells the kinds of servers apart by their members and refuses the `type` that other agents write. */
function withoutType(server: unknown): unknown {
  if (!isObject(server)) return server;
  const { type: _, ...rest } = server;
  return rest;
}

/** The value as TOML, the form in which Codex takes configuration on its command line. Absent and null members are left out, because TOML has no null. */
function toToml(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(toToml).join(',')}]`;
  if (isObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
    return `{${members.map(([key, member]) => `${quote(key)}=${toToml(member)}`).join(',')}}`;
  }
  return String(value);
}

/** A JSON string is a TOML string, but for DEL and lone surrogates. */
function quote(text: string): string {
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replaceAll('\u007F', '\\u007F');
}
