/** What a message that broke off had said is not whole. A run ends with the last `agent_end` before it waits again. */
import { exitsIn, inside, isObject, joined, lastOf, noFacts, objects, sum, total, type WireFacts } from './facts.js';

export function readPi(values: readonly unknown[]): WireFacts {
  const lines = values.filter(isObject);
  const facts = {
    ...noFacts(),
    thoughts: [] as string[],
    inputs: [] as [string, unknown][],
    asks: [] as string[],
    outcomes: [] as string[],
    files: [] as string[],
    errors: [] as string[],
  };
  const said = lines
    .filter(({ type }) => type === 'message_end')
    .map(({ message }) => inside(message))
    .filter(({ role }) => role === 'assistant');
  for (const { stopReason, content, errorMessage } of said) {
    if (stopReason === 'error') facts.errors.push(String(errorMessage));
    if (stopReason === 'error' || stopReason === 'aborted') continue;
    for (const block of objects(content)) {
      if (block.type === 'text' && block.text) facts.texts.push(String(block.text));
      if (block.type === 'thinking' && block.thinking) facts.thoughts.push(String(block.thinking));
      if (block.type === 'toolCall') facts.toolIds.push(String(block.id));
      if (block.type === 'toolCall') facts.inputs.push([String(block.id), block.arguments]);
    }
  }
  for (const { type, toolCallId, toolName, result, isError, method, id } of lines) {
    if (type === 'extension_ui_request' && /^(select|confirm|input|editor)$/.test(String(method)))
      facts.asks.push(String(id));
    if (type !== 'tool_execution_end' || !isObject(result)) continue;
    (isError === true ? facts.failed : facts.fine).push(String(toolCallId));
    const path = facts.inputs.findLast(([call]) => call === toolCallId)?.[1];
    if (isError === false && /^(write|edit)$/.test(String(toolName))) facts.files.push(String(inside(path).path));
    facts.outputs.push([String(toolCallId), joined(result.content)]);
  }
  const usd = sum(said.map(({ usage }) => inside(inside(usage).cost).total));
  const last = said.at(-1);
  if (last && lines.some(({ type }) => type === 'agent_end')) {
    const isOver =
      lines.findLastIndex(({ type }) => type === 'agent_end') >
      lines.findLastIndex(({ type }) => type === 'message_end');
    const answer = joined(last.content);
    if (isOver) facts.turns.push(answer === '' || last.stopReason === 'aborted' ? {} : { text: answer });
    if (isOver) facts.outcomes.push(OUTCOMES[String(last.stopReason)] ?? 'success');
  }
  return {
    ...facts,
    onlyLast: true,
    ...lastOf(
      lines.filter(({ type }) => type === 'session'),
      'id',
    ),
    exits: exitsIn(facts.outputs, /Command exited with code (\d+)$/),
    retries: lines.filter(({ type }) => /^(auto_retry_start|summarization_retry_scheduled)$/.test(String(type))).length,
    tokens: total(
      said.map(({ usage }) => usage),
      { input: 'input', output: 'output', cacheRead: 'cacheRead', cacheWrite: 'cacheWrite' },
    ),
    ...(usd !== 0 && { usd }),
  };
}

const OUTCOMES: Record<string, string> = { stop: 'success', error: 'failed', aborted: 'interrupted' };
