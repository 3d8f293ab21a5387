/** `run --format json`: the end of the process is the result, the last text and what the steps cost together; unless it ends within a step. */
import { readAcp } from './acp.js';
import { count, inside, isObject, noFacts, objects, todo, type WireFacts } from './facts.js';

export function readOpencode(values: readonly unknown[]): WireFacts {
  const lines = values.filter(isObject);
  if (lines.some((line) => 'jsonrpc' in line)) return readAcp(lines);
  const facts = {
    ...noFacts(),
    thoughts: [] as string[],
    inputs: [] as [string, unknown][],
    denied: [] as string[],
    exits: [] as string[],
    files: [] as string[],
    errors: [] as string[],
    tasks: [] as string[],
    taskEnds: [] as string[],
  };
  const tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  let todos: string[] = [];
  let usd: number | undefined;
  for (const { type, part, error } of lines) {
    const { text, synthetic, callID, state, cost, tokens: used, tool } = inside(part);
    if (type === 'text' && synthetic !== true && text) facts.texts.push(String(text));
    if (type === 'reasoning' && text) facts.thoughts.push(String(text));
    if (type === 'error') facts.errors.push(String(inside(inside(error).data).message ?? inside(error).name ?? error));
    if (type === 'step_finish') {
      const { input, output, reasoning, cache } = inside(used);
      if (typeof cost === 'number') usd = (usd ?? 0) + cost;
      tokens.input += count(input);
      tokens.output += count(output) + count(reasoning);
      tokens.cacheRead += count(inside(cache).read);
      tokens.cacheWrite += count(inside(cache).write);
    }
    if (type !== 'tool_use' || !isObject(state)) continue;
    const id = String(callID);
    const metadata = inside(state.metadata);
    const isBad = state.status === 'error' || tool === 'invalid' || ('exit' in metadata && metadata.exit !== 0);
    facts.toolIds.push(id);
    if (tool !== 'invalid') facts.inputs.push([id, state.input]);
    facts.outputs.push([id, String(state.status === 'error' ? state.error : state.output)]);
    (isBad ? facts.failed : facts.fine).push(id);
    if (typeof metadata.exit === 'number') facts.exits.push(`${id} ${metadata.exit}`);
    if (/^(write|edit)$/.test(String(tool)) && !isBad) facts.files.push(String(inside(state.input).filePath));
    if (/^The user (has specified a rule which prevents|rejected permission)/.test(String(state.error)))
      facts.denied.push(id);
    if (tool === 'task' && !isBad) facts.tasks.push(String(metadata.sessionId));
    if (tool === 'task' && !isBad) facts.taskEnds.push(`${metadata.sessionId} ok`);
    if (tool === 'todowrite' && !isBad)
      todos = objects(metadata.todos)
        .filter(({ status }) => status !== 'cancelled')
        .map(({ content, status }) => todo(content, status));
  }
  const text = facts.texts.at(-1);
  const last = lines.at(-1);
  const isOver = /^(step_finish|error)$/.test(String(last?.type));
  if (isOver) facts.turns.push({ ...(text !== undefined && { text }), ...(usd !== undefined && { usd }) });
  const outcomes = last?.type === 'error' ? ['failed'] : inside(last?.part).reason === 'stop' ? ['success'] : [];
  const { sessionID } = last ?? {};
  return {
    ...facts,
    ...(typeof sessionID === 'string' && { session: sessionID }),
    tokens,
    outcomes,
    onlyLast: true,
    todos,
  };
}
