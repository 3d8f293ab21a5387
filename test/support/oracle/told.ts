/** What events tell, in the words of the oracle, and where both differ. */
import { isDeepStrictEqual } from 'node:util';
import type { AgentEvent, EventOf, EventType } from '../../../src/event/index.js';
import { complaint, modelLine, type Tokens, type WireFacts } from './facts.js';

/** Sentences; none when the events tell what the wire says. */
export function differences(facts: WireFacts, events: readonly AgentEvent[]): string[] {
  const told = toldBy(events);
  const wrong: string[] = [];
  const same = (what: string, wire: unknown, ours: unknown) => {
    if (!isDeepStrictEqual(wire, ours)) wrong.push(`${what}: ${brief(wire)} on the wire, ${brief(ours)} told`);
  };
  const all = (what: string, wire: readonly unknown[], ours: readonly unknown[]) => {
    const missing = wire.filter((entry) => !ours.some((other) => isDeepStrictEqual(entry, other)));
    if (missing.length > 0) wrong.push(`${what}: ${brief(missing)} not told`);
  };
  const turns = facts.usd === undefined ? told.turns : told.turns.map(({ usd: _, ...turn }) => turn);
  if (!facts.onlyLast) same('turns', facts.turns, turns);
  else if (facts.turns.length > 0) same('last turn', facts.turns.at(-1), turns.at(-1));
  if (facts.outcomes && !facts.onlyLast) same('outcomes', facts.outcomes, told.outcomes);
  else if (facts.outcomes?.length) same('last outcome', facts.outcomes.at(-1), told.outcomes.at(-1));
  same('texts', facts.texts, told.texts);
  if (facts.thoughts) same('thoughts', facts.thoughts, told.thoughts);
  all('tools', facts.toolIds, told.toolIds);
  const isCarded = (id: string) => told.toolIds.includes(id);
  const carded = ([id]: readonly [id: string, of: unknown]) => isCarded(id);
  all('inputs', (facts.inputs ?? []).filter(carded), told.inputs);
  all('outputs', facts.outputs.filter(carded), told.outputs);
  all('failed', facts.failed.filter(isCarded), told.failed);
  all('fine', facts.fine.filter(isCarded), told.fine);
  all('denied', (facts.denied ?? []).filter(isCarded), told.denied);
  all('exit codes', facts.exits ?? [], told.exits);
  all('files', facts.files ?? [], told.files);
  if (facts.session !== undefined) same('session', facts.session, told.session);
  if (facts.usd !== undefined) same('usd', facts.usd, told.usd);
  for (const [name, tokens] of Object.entries(facts.tokens ?? {}))
    same(`${name} tokens`, tokens, told.tokens[name as keyof Tokens]);
  if (facts.models) same('models', facts.models, told.models);
  for (const error of (facts.errors ?? []).map(complaint))
    if (!told.errors.some((other) => error.includes(other) || other.includes(error)))
      wrong.push(`error: ${brief(error)} on the wire, ${brief(told.errors)} told`);
  if (facts.retries !== undefined) same('retries', facts.retries, told.retries);
  if (facts.limits) same('limits', facts.limits, told.limits);
  all('tasks', facts.tasks ?? [], told.tasks);
  all('ends of tasks', facts.taskEnds ?? [], told.taskEnds);
  all('hooks', facts.hooks ?? [], told.hooks);
  all('ends of hooks', facts.hookEnds ?? [], told.hookEnds);
  if (facts.todos) same('todos', facts.todos, told.todos);
  if (facts.asks) same('asks', [...new Set(facts.asks)].sort(), [...told.asks].sort());
  all('decisions', facts.decisions ?? [], told.decisions);
  return wrong;
}

function toldBy(events: readonly AgentEvent[]) {
  const only = <Type extends EventType>(type: Type) =>
    events.filter((event): event is EventOf<Type> => event.type === type);
  const ends = only('turn-end');
  const gone = only('message-retract');
  const isGone = (message: string, at: number) =>
    gone.some(({ messageId, index }) => messageId === message && (index ?? at) === at);
  const whole = (blocks: readonly (EventOf<'text-end'> | EventOf<'thinking-end'>)[]) =>
    blocks
      .filter(({ text, partial, messageId, index }) => text !== '' && !partial && !isGone(messageId, index))
      .map(({ text }) => text);
  const toolEnds = only('tool-end');
  const tokens = (name: 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens') =>
    ends.reduce((sum, { usage }) => sum + (usage?.[name] ?? 0), 0);
  const own = ends.filter(({ source }) => source !== 'synthetic');
  return {
    turns: own.map(({ text, cost }) => ({
      ...(text !== undefined && { text }),
      ...(cost && cost.origin !== 'computed' && { usd: cost.usd }),
    })),
    usd: ends.reduce((sum, { cost }) => sum + (cost && cost.origin !== 'computed' ? cost.usd : 0), 0),
    outcomes: own.map(({ outcome }) => outcome),
    texts: whole(only('text-end')),
    thoughts: whole(only('thinking-end')),
    toolIds: only('tool-start').map(({ id }) => wireId(id)),
    inputs: only('tool-input-end').map(({ id, input }) => [wireId(id), input]),
    outputs: toolEnds.map(({ id, output }) => [wireId(id), output]),
    failed: toolEnds.filter(({ status }) => status !== 'ok').map(({ id }) => wireId(id)),
    fine: toolEnds.filter(({ status }) => status === 'ok').map(({ id }) => wireId(id)),
    denied: toolEnds.filter(({ status }) => status === 'denied').map(({ id }) => wireId(id)),
    exits: toolEnds.map(({ id, exitCode }) => `${wireId(id)} ${exitCode}`),
    files: only('file-change').flatMap(({ path, to }) => [path, ...(to === undefined ? [] : [to])]),
    session: events.at(-1)?.sessionId,
    tokens: {
      input: tokens('inputTokens'),
      output: tokens('outputTokens'),
      cacheRead: tokens('cacheReadTokens'),
      cacheWrite: tokens('cacheWriteTokens'),
    },
    models: (own.at(-1)?.modelUsage ?? []).map(({ model, outputTokens, usd }) => modelLine(model, outputTokens, usd)),
    errors: [
      ...only('agent-error').map(({ message }) => message),
      ...only('warning').map(({ message }) => message),
      ...only('retry').flatMap(({ why }) => why ?? []),
      ...ends.flatMap(({ error }) => (error ? [error.message] : [])),
    ].filter((message) => message !== ''),
    retries: only('retry').length,
    limits: only('rate-limit').flatMap(({ windows = [] }) =>
      windows.map(({ name, utilization }) => `${name} ${utilization}`),
    ),
    tasks: only('task-start').map(({ id }) => id),
    taskEnds: only('task-end').map(({ id, status }) => `${id} ${status}`),
    hooks: only('hook-start').map(({ id }) => id),
    hookEnds: only('hook-end').map(({ id, outcome }) => `${id} ${outcome}`),
    todos: (only('todo-update').at(-1)?.todos ?? []).map(({ text, status }) => `${status} ${text}`),
    asks: only('approval-request').map(({ id }) => id),
    decisions: only('approval-resolve').map(({ id, decision }) => `${id} ${decision}`),
  };
}

/** A model that gives one id to two calls means two calls. */
const wireId = (id: string): string => id.replace(/#\d+$/, '');

const brief = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 300);
