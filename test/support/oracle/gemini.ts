/** A text is what came between two other lines; the answer is what came after the last tool call. */
import {
  count,
  inside,
  isObject,
  type Line,
  lastOf,
  modelLine,
  noFacts,
  objects,
  todo,
  type WireFacts,
} from './facts.js';

export function readGemini(values: readonly unknown[]): WireFacts {
  const facts = {
    ...noFacts(),
    inputs: [] as [string, unknown][],
    outcomes: [] as string[],
    files: [] as string[],
    errors: [] as string[],
  };
  let models: string[] = [];
  const denied: string[] = [];
  const tokens = { input: 0, output: 0, cacheRead: 0 };
  const calls = new Map<unknown, Line>();
  let todos: string[] = [];
  let text = '';
  const end = () => {
    if (text !== '') facts.texts.push(text);
    text = '';
  };
  for (const line of values.filter(isObject)) {
    if (line.type === 'message' && line.role === 'assistant') {
      text += line.content;
      continue;
    }
    const fault = inside(line.error);
    if (line.type === 'result') {
      const { input, output_tokens, cached } = inside(line.stats);
      facts.turns.push(text === '' ? {} : { text });
      facts.outcomes.push(
        line.status === 'success' ? 'success' : /TurnLimited/.test(String(fault.type)) ? 'max-turns' : 'failed',
      );
      models = Object.entries(inside(inside(line.stats).models)).map(([model, used]) =>
        modelLine(model, inside(used).output_tokens),
      );
      if (fault.message) facts.errors.push(String(fault.message));
      tokens.input += count(input);
      tokens.output += count(output_tokens);
      tokens.cacheRead += count(cached);
    }
    end();
    if (line.type === 'error') facts.errors.push(String(line.message));
    const id = String(line.tool_id);
    if (line.type === 'tool_use') {
      facts.toolIds.push(id);
      facts.inputs.push([id, line.parameters]);
      calls.set(line.tool_id, line);
    }
    if (line.type !== 'tool_result') continue;
    const output = isObject(line.error) ? fault.message : line.output;
    if (typeof output === 'string') facts.outputs.push([id, output]);
    (line.status === 'error' ? facts.failed : facts.fine).push(id);
    const { file_path: path } = inside(calls.get(line.tool_id)?.parameters);
    if (line.status !== 'error' && /^(write_file|replace)$/.test(String(calls.get(line.tool_id)?.tool_name)))
      facts.files.push(String(path));
    if (fault.type === 'policy_violation') denied.push(id);
    const call = calls.get(line.tool_id);
    if (line.status !== 'error' && call?.tool_name === 'write_todos')
      todos = objects(inside(call.parameters).todos)
        .filter(({ status }) => status !== 'cancelled')
        .map(({ description, status }) => todo(description, status));
  }
  return { ...facts, ...lastOf(values.filter(isObject), 'session_id'), denied, tokens, models, todos };
}
