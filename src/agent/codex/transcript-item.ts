/** What a rollout says of a call, spelled as the item that the stream prints: `exec` and the app-server name and tell different things. */
import { anyString, isObject, type Json, list, lookUp, members, number, objects, parsed, string } from '../field.js';
import { snakeCase } from './wire.js';

export interface Spelling {
  /** The session was run by `codex exec`, which says less. */
  isExec: boolean;
  /** The shell that commands are given to. */
  shell: string;
}

/** An item of a newer release, or the end of a call as older ones tell it. */
export function spellItem(told: Json, spelling: Spelling): Json | undefined {
  const type = typeOf(string(told.type) ?? '');
  const item: Json = { ...told, type, id: told.id ?? told.call_id };
  return lookUp(ITEMS, type)?.(item, spelling) ?? item;
}

/** The item that a call of the model begins, undefined for calls that the stream does not show. */
export function callItem(call: Json, spelling: Spelling): Json | undefined {
  const id = call.call_id ?? call.id;
  const [name, namespace] = [string(call.name), string(call.namespace)];
  const input = members(parsed(anyString(call.arguments) ?? ''));
  if (call.type === 'web_search_call') return searchItem(call);
  if (name === 'update_plan' && Array.isArray(input.plan))
    return {
      type: 'todo_list',
      items: objects(input.plan).map(({ step, status }) => ({ text: step, completed: status === 'completed' })),
    };
  const [, server, tool] =
    /^mcp__(.+?)__(.+)$/s.exec(namespace === undefined ? (name ?? '') : `${namespace}__${name}`) ?? [];
  if (server !== undefined) return { id, type: 'mcp_tool_call', server, tool, arguments: input, status: 'in_progress' };
  const command = commandOf(call, input, spelling);
  return command === undefined ? undefined : { id, type: 'command_execution', command, status: 'in_progress' };
}

/** The item at its end, from what the model was told of it; undefined when it was told that the turn was interrupted. */
export function outputItem(call: Json, output: unknown): Json | undefined {
  const text = typeof output === 'string' ? output : textOf(output);
  if (/^aborted by user\b/.test(bodyOf(text))) return undefined;
  if (call.type === 'mcp_tool_call') {
    const content = list(output).length > 0 ? contentOf(output) : [{ type: 'text', text: bodyOf(text) }];
    return { ...call, status: 'completed', result: { content } };
  }
  const wrapped = members(parsed(text));
  const code = number(members(wrapped.metadata).exit_code) ?? exitIn(text);
  const isRunning = code === undefined && /^Process running with session ID/m.test(text);
  return {
    ...call,
    aggregated_output: anyString(wrapped.output) ?? bodyOf(text),
    exit_code: code ?? null,
    status: isRunning ? 'in_progress' : code === 0 ? 'completed' : 'failed',
  };
}

const ITEMS: Readonly<Record<string, (item: Json, spelling: Spelling) => Json>> = {
  agent_message: (item) => ({
    ...item,
    text: objects(item.content)
      .map(({ text }) => anyString(text) ?? '')
      .join(''),
  }),
  reasoning(item, { isExec }) {
    const summary = list(item.summary_text);
    return isExec
      ? { id: item.id, type: item.type, text: summary.join('\n') }
      : { ...item, summary, content: list(item.raw_content) };
  },
  command_execution(item, { isExec }) {
    const command = Array.isArray(item.command) ? display(item.command.map(String)) : item.command;
    const { id, type, aggregated_output, exit_code, status } = item;
    const facts = { id, type, command, aggregated_output, exit_code, status };
    if (isExec) return facts;
    const commandActions = objects(item.parsed_cmd).map(({ cmd }) => ({ command: cmd }));
    return { ...facts, cwd: pathOf(item.cwd), commandActions, durationMs: millisecondsOf(item.duration) };
  },
  file_change(item, { isExec }) {
    const changes = Object.entries(members(item.changes))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, told]) => {
        const { type, unified_diff, content, move_path } = members(told);
        if (isExec) return { path, kind: type };
        return { path, kind: { type, ...(isMove(move_path) && { move_path }) }, diff: unified_diff ?? content };
      });
    const { id, type, status, success } = item;
    return { id, type, changes, status: status ?? (success === false ? 'failed' : 'completed') };
  },
  mcp_tool_call(item, { isExec }) {
    const { server, tool, arguments: input } = { ...item, ...members(item.invocation) };
    const result = members(item.result);
    const ok = members(result.Ok ?? result);
    const error = item.error ?? (result.Err === undefined ? undefined : { message: result.Err });
    const status = item.status ?? (error !== undefined || ok.isError === true ? 'failed' : 'completed');
    const durationMs = isExec ? undefined : millisecondsOf(item.duration);
    return { id: item.id, type: item.type, server, tool, arguments: input, result: ok, error, status, durationMs };
  },
  web_search: searchItem,
  collab_agent_tool_call(item, { isExec }) {
    const states = Object.entries(members(item.agents_states)).map(([id, told]) => [id, stateOf(told)]);
    const agents_states = Object.fromEntries(states);
    return { ...item, agents_states, ...(isExec && { type: 'collab_tool_call' }) };
  },
};

/** A word, or a word with what the sub-agent said. */
function stateOf(told: unknown): Json {
  if (typeof told === 'string') return { status: told, message: null };
  const [[status, message] = []] = Object.entries(members(told));
  return { status, message };
}

/** Names of the older messages, which tell the same items. */
const ENDS: Readonly<Record<string, string>> = {
  patch_apply_end: 'file_change',
  exec_command_end: 'command_execution',
  mcp_tool_call_end: 'mcp_tool_call',
  web_search_end: 'web_search',
};

const typeOf = (name: string): string => lookUp(ENDS, name) ?? snakeCase(name).replace(/^_/, '');

function searchItem(call: Json): Json {
  const action = members(call.action);
  return {
    id: call.id,
    type: 'web_search',
    query: call.query ?? action.query ?? action.url ?? '',
    action: call.action,
  };
}

function commandOf(call: Json, input: Json, { shell }: Spelling): string | undefined {
  const given = input.cmd ?? input.command ?? members(call.action).command;
  if (Array.isArray(given)) return display(given.map(String));
  const isShell = /^(exec_command|shell_command|shell|container\.exec)$/.test(string(call.name) ?? '');
  if (!isShell || typeof given !== 'string') return undefined;
  return display([string(input.shell) ?? shell, input.login === false ? '-c' : '-lc', given]);
}

/** The words before what a command printed, as the model is told them. */
const HEAD =
  /^(?:(?:Chunk ID|Wall time|Process exited with code|Process running with|Original token count|Exit code|Total output lines)\b.*\n)+(?:Output:\n?)?/;

const bodyOf = (text: string): string => text.replace(HEAD, '');

function exitIn(text: string): number | undefined {
  const [, code] = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(HEAD.exec(text)?.[0] ?? '') ?? [];
  return code === undefined ? undefined : Number(code);
}

const textOf = (content: unknown): string =>
  objects(content)
    .map(({ text }) => anyString(text) ?? '')
    .join('\n');

/** What came back from a tool, without the line that Codex puts before it. */
function contentOf(output: unknown): Json[] {
  return objects(output)
    .filter(({ text }, index) => index > 0 || !/^Wall time:/.test(anyString(text) ?? ''))
    .map((part) => (part.type === 'input_text' ? { type: 'text', text: part.text } : part));
}

const isMove = (path: unknown): boolean => typeof path === 'string' && path !== '';

const pathOf = (url: unknown): string | undefined => {
  const text = anyString(url);
  return text?.startsWith('file://') ? decodeURIComponent(text.slice('file://'.length)) : text;
};

function millisecondsOf(duration: unknown): number | undefined {
  if (!isObject(duration)) return undefined;
  return Math.floor((number(duration.secs) ?? 0) * 1000 + (number(duration.nanos) ?? 0) / 1e6);
}

/** Words as one line, quoted as Codex does: single quotes, double ones around what has a single one. */
function display(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

/** The longest piece that one kind of quotes can hold, then the next one. */
function quoted(word: string): string {
  let text = word === '' ? "''" : '';
  for (let from = 0; from < word.length; ) {
    const plain = lengthOf(word, from, /[^\w+\-./:@\]]/);
    const single = word[from] === '^' ? 1 + lengthOf(word, from + 1, /['\\^]/) : lengthOf(word, from, /['\\^]/);
    const double = lengthOf(word, from, /[`$!^]/);
    const piece = word.slice(from, from + Math.max(plain, single, double, 1));
    if (piece.length === plain) text += piece;
    else text += single >= double ? `'${piece}'` : `"${piece.replace(/["\\]/g, '\\$&')}"`;
    from += piece.length;
  }
  return text;
}

function lengthOf(word: string, from: number, end: RegExp): number {
  const length = word.slice(from).search(end);
  return length < 0 ? word.length - from : length;
}
