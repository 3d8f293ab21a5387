/** Each `content_end` is whole. A tool that could run says only in its output how that went. */
import { inside, isObject, noFacts, objects, total, type WireFacts } from './facts.js';

export function readCline(values: readonly unknown[]): WireFacts {
  const lines = values.filter(isObject);
  const facts = {
    ...noFacts(),
    thoughts: [] as string[],
    inputs: [] as [string, unknown][],
    outcomes: [] as string[],
    errors: [] as string[],
    tasks: [] as string[],
    taskEnds: [] as string[],
  };
  let retries = 0;
  for (const line of lines) {
    const { type: kind, contentType, text, reasoning, toolCallId, error, metadata, input, output } = inside(line.event);
    const id = String(toolCallId);
    if (kind === 'content_end' && contentType === 'text' && text) facts.texts.push(String(text));
    if (kind === 'content_end' && contentType === 'reasoning' && reasoning) facts.thoughts.push(String(reasoning));
    if (kind === 'content_start' && contentType === 'tool') facts.toolIds.push(id);
    if (kind === 'content_start' && contentType === 'tool') facts.inputs.push([id, input]);
    if (kind === 'content_end' && contentType === 'tool') {
      const parts = Array.isArray(output) ? objects(output) : [inside(output)];
      if (error || parts.some(({ success }) => success === false)) facts.failed.push(id);
      else facts.fine.push(id);
      if (!error && parts.length === 1 && typeof parts[0]?.result === 'string' && parts[0].success === true)
        facts.outputs.push([id, parts[0].result]);
    }
    // The failure of a tool is told with the tool.
    if (kind === 'error' && !/^\d+ tool call\(s\) failed/.test(String(inside(error).message)))
      facts.errors.push(String(inside(error).message));
    if (kind === 'notice' && /retry|recovery$|max_tokens_compaction/.test(String(inside(metadata).kind)))
      retries += inside(metadata).phase === 'started' ? 1 : 0;
    const { hookEventName: hook, agentId, parentAgentId } = line;
    if (hook === 'agent_start' && parentAgentId) facts.tasks.push(String(agentId));
    if (hook === 'agent_end' && parentAgentId) facts.taskEnds.push(`${agentId} ok`);
    // After a result it says only that no more will come.
    if (line.type === 'run_aborted' && facts.turns.length === 0) facts.outcomes.push('interrupted');
    if (line.type !== 'run_result') continue;
    facts.turns.push(line.finishReason === 'error' ? {} : { text: String(line.text) });
    facts.outcomes.push(line.finishReason === 'completed' ? 'success' : 'failed');
  }
  const usages = lines.filter(({ type }) => type === 'run_result').map(({ usage }) => inside(usage));
  const { input = 0, cacheRead = 0, cacheWrite = 0, ...rest } = total(usages, USAGE);
  return {
    ...facts,
    retries,
    onlyLast: true,
    tokens: { input: input - cacheRead, cacheRead, cacheWrite, ...rest },
  };
}

const USAGE = {
  input: 'inputTokens',
  output: 'outputTokens',
  cacheRead: 'cacheReadTokens',
  cacheWrite: 'cacheWriteTokens',
};
