/** What events tell of a conversation, apart from how it was seen: so that what came from a stream and what came from disk can be compared. */
import { isDeepStrictEqual } from 'node:util';
import type { AgentEvent, EventOf, EventType, Usage } from '../../src/event/index.js';
import { addUsage, costOf, createRunLedgers, type Ledger, usageOf } from '../../src/ledger/index.js';

export interface Account {
  session: string | undefined;
  /** Texts and calls in the order in which they began; calls at the same time have none, so they are sorted. */
  said: string[];
  thoughts: string[];
  /** What became of each call. */
  ends: string[];
  outputs: string[];
  exits: string[];
  answers: (string | undefined)[];
  outcomes: string[];
  errors: string[];
  tokens: Tokens | undefined;
  /** The same by model, for those who have to know why two differ. */
  models: Record<string, Tokens>;
  usd: number | undefined;
  todos: string[];
  files: string[];
  /** Work in the background, and what became of it. */
  tasks: string[];
  /** Calls that a rule refused. */
  denials: string[];
}

const HIDDEN = /(?:\b\w+=)?(?:\[REDACTED_SECRET\]|\[redacted:[\w-]+\]|\*{6})/g;

type Tokens = Record<string, number>;

export type Aspect = Exclude<keyof Account, 'models'>;

/** Only the main conversation: most streams do not tell what sub-agents say and do. */
export function withoutSubAgents(stream: readonly AgentEvent[], disk: readonly AgentEvent[]): AgentEvent[] {
  const isTold = stream.some(({ parent }) => parent !== undefined);
  return disk.filter(({ parent }) => isTold || parent === undefined);
}

function modelsIn(ends: readonly EventOf<'turn-end'>[]): Account['models'] {
  const models: Record<string, Usage> = {};
  for (const { turnModelUsage, modelUsage } of ends) {
    for (const { model, usd: _, ...usage } of turnModelUsage ?? modelUsage ?? [])
      models[model] = addUsage(models[model], usage) ?? {};
  }
  return Object.fromEntries(Object.entries(models).map(([model, usage]) => [model, tokensIn(usage)]));
}

export function accountOf(told: readonly AgentEvent[]): Account {
  // Whoever hid a secret, the agent or glassbox, it is hidden.
  const events: AgentEvent[] = JSON.parse(JSON.stringify(told), (_, value) =>
    typeof value === 'string' ? value.replace(HIDDEN, '[hidden]') : value,
  );
  const only = <Type extends EventType>(type: Type) =>
    events.filter((event): event is EventOf<Type> => event.type === type);
  const ends = only('turn-end');
  const inputs = new Map(only('tool-input-end').map((event) => [keyOf(event), JSON.stringify(sorted(event.input))]));
  const names = new Map(only('tool-start').map((event) => [keyOf(event), event.name]));
  const nameOf = (event: Call) => `${names.get(keyOf(event)) ?? event.id} ${inputs.get(keyOf(event)) ?? ''}`;
  const { usage: used, usd } = spentIn(events);
  return {
    session: events.findLast(({ sessionId }) => sessionId !== undefined)?.sessionId,
    said: timeline(events, nameOf),
    thoughts: only('thinking-end').flatMap(({ text, partial }) => (text === '' || partial ? [] : [text])),
    ends: only('tool-end')
      .map((event) => `${nameOf(event)}: ${event.status}`)
      .sort(),
    outputs: only('tool-end')
      .flatMap((event) => (event.status === 'unknown' ? [] : [`${nameOf(event)}: ${event.output ?? ''}`]))
      .sort(),
    exits: only('tool-end')
      .flatMap((event) => (event.exitCode === undefined ? [] : [`${nameOf(event)}: ${event.exitCode}`]))
      .sort(),
    answers: ends.map(({ text }) => text || undefined),
    outcomes: ends.map(({ outcome }) => outcome),
    errors: ends.flatMap(({ error }) => (error ? [error.message] : [])),
    tokens: used && tokensIn(used),
    models: modelsIn(ends),
    usd,
    todos: (only('todo-update').at(-1)?.todos ?? []).map(({ text, status }) => `${status} ${text}`),
    files: only('file-change')
      .map(({ path, kind }) => `${kind} ${path}`)
      .sort(),
    tasks: [
      ...only('task-start').map(({ kind, description, background }) => `${kind} ${description} ${background}`),
      ...only('task-end').map(({ status, summary }) => `${status} ${summary}`),
    ].sort(),
    denials: only('permission-deny')
      .map(({ toolName, message }) => `${toolName}: ${message}`)
      .sort(),
  };
}

/** Aspects in which the disk does not tell what the stream told, each with both sides. What the stream did not know is not asked for. */
export function differences(stream: Account, disk: Account): Map<Aspect, string> {
  const different = new Map<Aspect, string>();
  const { models: _, ...aspects } = stream;
  const cutOff = stream.ends.filter((end) => end.endsWith(': unknown')).map((end) => end.slice(0, -'unknown'.length));
  const asked: Account = {
    ...disk,
    // How a call or a turn went on that the stream lost sight of.
    outputs: disk.outputs.filter(
      (output) => stream.outputs.includes(output) || !cutOff.some((call) => output.startsWith(call)),
    ),
    errors: stream.outcomes.includes('unknown') && stream.errors.length === 0 ? [] : disk.errors,
  };
  for (const aspect of Object.keys(aspects) as Aspect[]) {
    if (!isTold(stream[aspect], asked[aspect]))
      different.set(aspect, `stream ${JSON.stringify(stream[aspect])}\n  disk   ${JSON.stringify(disk[aspect])}`);
  }
  return different;
}

function isTold(stream: unknown, disk: unknown): boolean {
  if (stream === undefined || stream === 'unknown') return true;
  if (typeof stream === 'number' && typeof disk === 'number') return Math.abs(stream - disk) < 1e-9;
  if (typeof stream === 'string' && typeof disk === 'string' && stream.endsWith(': unknown'))
    return disk.startsWith(stream.slice(0, -'unknown'.length));
  if (!Array.isArray(stream) || !Array.isArray(disk)) return isDeepStrictEqual(stream, disk);
  return stream.length === disk.length && stream.every((each, index) => isTold(each, disk[index]));
}

const tokensIn = (used: Usage): Tokens => ({
  input: used.inputTokens ?? 0,
  output: used.outputTokens ?? 0,
  read: used.cacheReadTokens ?? 0,
  write: used.cacheWriteTokens ?? 0,
});

/** By all runs together. */
function spentIn(events: readonly AgentEvent[]): { usage: Usage | undefined; usd: number | undefined } {
  const book = createRunLedgers();
  const ledgers = new Map<string, Ledger>();
  for (const event of events) {
    book.see(event);
    ledgers.set(event.runId, book.ledger);
  }
  const all = [...ledgers.values()];
  const costs = all.flatMap((ledger) => costOf(ledger)?.usd ?? []);
  return {
    usage: all.reduce<Usage | undefined>((sum, ledger) => addUsage(sum, usageOf(ledger)), undefined),
    usd: costs.length > 0 ? costs.reduce((sum, usd) => sum + usd, 0) : undefined,
  };
}

function timeline(events: readonly AgentEvent[], nameOf: (call: Call) => string): string[] {
  const gone = new Set(events.flatMap((event) => (event.type === 'message-retract' ? [event.messageId] : [])));
  const said: string[] = [];
  let calls: string[] = [];
  const settle = () => {
    said.push(...calls.sort());
    calls = [];
  };
  for (const event of events) {
    if (event.type === 'tool-input-end') calls.push(`${callerOf(event)}# ${nameOf(event)}`);
    if (event.type !== 'text-end' || event.text.trim() === '' || event.partial || gone.has(event.messageId)) continue;
    settle();
    said.push(`${callerOf(event)}> ${event.text}`);
  }
  settle();
  return said;
}

/** The call of whom it belongs to; a call within a file of its own has the name of that file before its own. */
const callerOf = ({ parent = '' }: AgentEvent): string => parent.replace(/^.*\//, '');

/** A call; two processes may give the same id to two of them. */
type Call = Pick<EventOf<'tool-end'>, 'id' | 'runId'>;

const keyOf = ({ id, runId }: Call): string => `${runId} ${id}`;

/** The order of keys says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, of]) => [key, sorted(of)]),
  );
}
