/**
 * Whoever speaks the Agent Client Protocol: chunks of one kind in a row are one text. What opencode calls the usage of a turn is that of its
 * last model call, so it is not read.
 */
import { count, inside, isObject, joined, type Line, noFacts, objects, todo, type WireFacts } from './facts.js';

export function readAcp(lines: readonly Line[]): WireFacts {
  const facts = {
    ...noFacts(),
    thoughts: [] as string[],
    outcomes: [] as string[],
    denied: [] as string[],
    errors: [] as string[],
    asks: [] as string[],
    decisions: [] as string[],
  };
  const asked = new Map<string, string>();
  const forms = new Map<string, string>();
  const open = { texts: '', thoughts: '' };
  let usd = 0;
  let todos: string[] = [];
  let session: unknown;
  let said: unknown;
  const end = () => {
    if (open.texts !== '') facts.texts.push(open.texts);
    if (open.thoughts !== '') facts.thoughts.push(open.thoughts);
    open.texts = open.thoughts = '';
  };
  for (const { id, method, params, result, error } of lines) {
    session ??= inside(result).sessionId;
    const { sessionId, update: news, toolCall } = inside(params);
    const update = inside(news);
    const kind = update.sessionUpdate;
    if (method === 'session/request_permission' || method === 'elicitation/create') facts.asks.push(String(id));
    if (method === 'elicitation/create') forms.set(String(inside(params).toolCallId), String(id));
    if (method === 'session/request_permission') asked.set(String(inside(toolCall).toolCallId), String(id));
    const { stopReason } = inside(result);
    const isEnd = stopReason !== undefined || (error !== undefined && session !== undefined);
    const into = kind === 'agent_message_chunk' ? 'texts' : kind === 'agent_thought_chunk' ? 'thoughts' : undefined;
    if (into) {
      if (update.messageId !== said || open[into === 'texts' ? 'thoughts' : 'texts'] !== '') end();
      said = update.messageId;
      open[into] += inside(update.content).text;
    } else if (isEnd || method === 'session/request_permission' || /^tool_call/.test(String(kind))) {
      // A message that is not finished was broken off.
      if (isEnd && stopReason !== 'end_turn') open.texts = open.thoughts = '';
      if (isEnd) facts.turns.push(open.texts === '' ? {} : { text: open.texts });
      end();
    }
    if (isEnd) facts.outcomes.push(stopReason === undefined ? 'failed' : (OUTCOMES[String(stopReason)] ?? 'failed'));
    if (isEnd && error !== undefined) facts.errors.push(String(inside(error).message));
    if (sessionId !== session) continue;
    const call = String(update.toolCallId);
    if (kind === 'tool_call') facts.toolIds.push(call);
    if (update.status === 'failed') facts.failed.push(call);
    if (update.status === 'completed') facts.fine.push(call);
    const words = joined(objects(update.content).map(({ content }) => content));
    if (/^(completed|failed)$/.test(String(update.status)) && words !== '') facts.outputs.push([call, words]);
    const isRefused = update.status === 'failed' && /\buser rejected\b/.test(words);
    if (isRefused) facts.denied.push(call);
    if (isRefused && asked.has(call)) facts.decisions.push(`${asked.get(call)} deny`);
    // Whether a form was filled in or declined is not said, only that it is over.
    if (update.status === 'completed' && forms.has(call)) facts.decisions.push(`${forms.get(call)} unknown`);
    if (update.status === 'completed' && asked.has(call)) facts.decisions.push(`${asked.get(call)} allow`);
    if (kind === 'usage_update' && isObject(update.cost)) usd = count(update.cost.amount);
    // opencode has no plan; its tool for lists says the list beside its text.
    const { todos: listed } = inside(inside(update.rawOutput).metadata);
    if (update.status === 'completed' && Array.isArray(listed))
      todos = objects(listed).map(({ content, status }) => todo(content, status));
    if (kind === 'plan') todos = objects(update.entries).map(({ content, status }) => todo(content, status));
  }
  return {
    ...facts,
    ...(typeof session === 'string' && { session }),
    onlyLast: true,
    todos,
    ...(usd !== 0 && { usd }),
  };
}

const OUTCOMES: Record<string, string> = {
  end_turn: 'success',
  cancelled: 'interrupted',
  max_turn_requests: 'max-turns',
};
