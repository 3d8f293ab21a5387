/** Messages of chat completions; a line that only repeats calls says nothing new. */
import { readAcp } from './acp.js';
import {
  exitsIn,
  inside,
  isObject,
  type Line,
  lastOf,
  list,
  noFacts,
  objects,
  todo,
  unpacked,
  type WireFacts,
} from './facts.js';

export function readKimi(values: readonly unknown[]): WireFacts {
  const lines = values.filter(isObject);
  if (lines.some((line) => 'jsonrpc' in line)) return readAcp(lines);
  const facts = noFacts();
  const thoughts: string[] = [];
  const calls = new Map<string, Line>();
  let todos: string[] = [];
  for (const { role, content, tool_calls, tool_call_id } of lines) {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).filter(isObject);
    if (role === 'assistant')
      for (const { type, text, think } of parts) {
        if (type === 'text' && text) facts.texts.push(String(text));
        if (type === 'think' && think) thoughts.push(String(think));
      }
    for (const call of objects(tool_calls)) if (call.id) calls.set(String(call.id), inside(call.function));
    if (role !== 'tool' || typeof content !== 'string' || !calls.has(String(tool_call_id))) continue;
    const id = String(tool_call_id);
    const called = inside(calls.get(id));
    facts.outputs.push([id, content]);
    if (/Command failed with exit code: [1-9]\d*\.\s*$/.test(content) || /^Tool ".*" not found/.test(content))
      facts.failed.push(id);
    if (called.name === 'TodoList' && content.startsWith('Todo list updated'))
      todos = objects(inside(unpacked(called.arguments)).todos).map(({ title, status }) => todo(title, status));
  }
  facts.toolIds.push(...calls.keys());
  return {
    ...facts,
    ...lastOf(lines, 'session_id'),
    exits: exitsIn(facts.outputs, /Command failed with exit code: (\d+)\.\s*$/),
    thoughts,
    inputs: [...calls].flatMap(([id, call]): [string, unknown][] => {
      const input = unpacked(call.arguments);
      return input === undefined ? [] : [[id, input]];
    }),
    onlyLast: true,
    retries: lines.filter(({ type }) => type === 'turn.step.retrying').length,
    todos,
  };
}
