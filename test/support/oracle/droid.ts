/** `stream-json` has whole messages; the JSON-RPC stream repeats each message whole when it is done, and calls while they are written. */
import {
  inside,
  isObject,
  joined,
  type Line,
  lastOf,
  list,
  noFacts,
  objects,
  todo,
  total,
  type WireFacts,
} from './facts.js';

export function readDroid(values: readonly unknown[]): WireFacts {
  const lines = values.filter(isObject);
  if (lines.some((line) => 'jsonrpc' in line)) return readRpc(lines);
  const facts = { ...noFacts(), inputs: [] as [string, unknown][] };
  const thoughts: string[] = [];
  const tasks: string[] = [];
  const exits: string[] = [];
  const files: string[] = [];
  const lists = new Map<string, string>();
  let todos: string[] = [];
  const taskEnds: string[] = [];
  for (const { type, role, text, id, finalText, isError, value, error, parameters, toolName, toolId } of lines) {
    const key = String(id);
    if (type === 'message' && role === 'assistant' && text) facts.texts.push(String(text));
    // Each is printed twice.
    if (type === 'reasoning' && text !== thoughts.at(-1)) thoughts.push(String(text));
    if (type === 'tool_call') facts.toolIds.push(key);
    if (type === 'tool_call') facts.inputs.push([key, parameters]);
    if (type === 'tool_call' && toolName === 'TodoWrite') lists.set(key, String(inside(parameters).todos));
    if (type === 'tool_result' && isError !== true && lists.has(key)) todos = todosIn(lists.get(key) ?? '');
    const exit = /\[Process exited with code (\d+)\]$/.exec(String(value ?? inside(error).message))?.[1];
    if (type === 'tool_result' && exit !== undefined) exits.push(`${key} ${exit}`);
    if (type === 'tool_result' && isError === false && /^(Create|Edit)$/.test(String(toolId)))
      files.push(String(inside(facts.inputs.findLast(([call]) => call === key)?.[1]).file_path));
    if (type === 'tool_result') (isError === true ? facts.failed : facts.fine).push(key);
    if (type === 'tool_result' && isError === true) facts.outputs.push([key, bare(inside(error).message)]);
    const task = /^Task launched in background\.\ntask_id: (\S+)/.exec(String(value))?.[1];
    if (type === 'tool_result' && task) tasks.push(task);
    const over = /^Background task completed\.\ntask_id: (\S+)[\s\S]*?^reason: completed$/m.exec(String(text))?.[1];
    if (type === 'message' && role === 'user' && over) taskEnds.push(`${over} ok`);
    if (type === 'completion') facts.turns.push({ text: String(finalText) });
  }
  const done = lines.filter(({ type }) => type === 'completion');
  const faults = lines.filter(({ type }) => type === 'error');
  return {
    ...facts,
    ...lastOf(lines, 'session_id'),
    thoughts,
    todos,
    exits,
    files,
    tasks,
    taskEnds,
    onlyLast: true,
    outcomes: [...done.map(() => 'success'), ...faults.map(() => 'failed')],
    // The command line repeats it, or says what the agent said last.
    errors: faults.filter(({ source }) => source === 'agent_loop').map(({ message }) => String(message)),
    tokens: total(
      done.map(({ usage }) => usage),
      {
        input: 'input_tokens',
        output: 'output_tokens',
        cacheRead: 'cache_read_input_tokens',
        cacheWrite: 'cache_creation_input_tokens',
      },
    ),
  };
}

function readRpc(lines: readonly Line[]): WireFacts {
  const news = lines.map(({ params }) => inside(inside(params).notification));
  const said = news
    .filter(({ type, message }) => type === 'create_message' && inside(message).role === 'assistant')
    .flatMap(({ message }) => objects(inside(message).content));
  const results = news.filter(({ type }) => type === 'tool_result');
  const ends = news.filter(({ type }) => type === 'agent_turn_completed');
  const asks = lines.filter(({ id, method }) => id !== undefined && /request_permission|ask_user/.test(String(method)));
  const id = ({ toolUseId }: Line) => String(toolUseId);
  const calls = said.filter(({ type }) => type === 'tool_use');
  return {
    ...noFacts(),
    ...lastOf(
      lines.map(({ params }) => inside(params)),
      'sessionId',
    ),
    onlyLast: true,
    turns: ends.slice(-1).map(({ reason }) => {
      const text = said.findLast((block) => block.type === 'text')?.text;
      return text === undefined || reason === 'cancelled' ? {} : { text: String(text) };
    }),
    outcomes: ends.map(({ reason }) => OUTCOMES[String(reason)] ?? 'failed'),
    texts: said.flatMap(({ type, text }) => (type === 'text' && text ? [String(text)] : [])),
    thoughts: said.flatMap(({ type, thinking }) => (type === 'thinking' && thinking ? [String(thinking)] : [])),
    toolIds: calls.map((call) => String(call.id)),
    inputs: calls.map((call) => [String(call.id), call.input]),
    failed: results.filter(({ isError }) => isError === true).map(id),
    fine: results.filter(({ isError }) => isError === false).map(id),
    outputs: results.map((result) => [
      id(result),
      bare(typeof result.content === 'string' ? result.content : joined(result.content)),
    ]),
    errors: news.filter(({ type }) => type === 'error').map(({ message }) => String(message)),
    tokens: total(
      ends.flatMap(({ tokenUsage, childTokenUsage }) => [tokenUsage, childTokenUsage]),
      {
        input: 'inputTokens',
        output: 'outputTokens',
        cacheRead: 'cacheReadTokens',
        cacheWrite: 'cacheCreationTokens',
      },
    ),
    asks: asks.map((line) => String(line.id)),
    decisions: news
      .filter(({ type }) => type === 'permission_resolved')
      .map(({ requestId, selectedOption }) => `${requestId} ${DECISIONS[String(selectedOption)] ?? 'allow-always'}`),
    todos: calls
      .filter(
        ({ name, id: call }) =>
          name === 'TodoWrite' && results.some((result) => id(result) === call && result.isError === false),
      )
      .slice(-1)
      .flatMap(({ input }) => todosIn(String(inside(input).todos))),
    denied: news
      .filter(({ type, selectedOption }) => type === 'permission_resolved' && selectedOption === 'cancel')
      .flatMap(({ requestId }) => asks.filter((ask) => ask.id === requestId))
      .flatMap(({ params }) => list(inside(params).toolUses))
      .map((use) => String(inside(inside(use).toolUse).id)),
  };
}

/** `1. [in_progress] first`, line by line. */
const todosIn = (text: string): string[] =>
  [...text.matchAll(/^\d+\. \[(\w+)\] (.*)$/gm)].map(([, status, words]) => todo(words, status));

/** How a command ended is told for the model, around what it printed. */
const bare = (text: unknown): string => String(text).replace(/\n*\[Process exited with code \d+\]$/, '');

const OUTCOMES: Record<string, string> = { completed: 'success', cancelled: 'interrupted' };

const DECISIONS: Record<string, string> = { cancel: 'deny', proceed_once: 'allow' };
