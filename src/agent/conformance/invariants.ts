/**
 * What must hold for the events of any stream of any agent once it has ended.
 * The functions return sentences, so that a test shows all that is wrong at once.
 */
import type { AgentEvent, EventOf, EventType } from '../../event/index.js';

/** Whatever the bytes were: events are counted, and what begins ends once. */
export function brokenFrame(events: readonly AgentEvent[]): string[] {
  return [
    ...sequence(events),
    ...pairs(events, { start: 'tool-start', inside: [], end: 'tool-end', mayRestart: true }),
    ...approvals(events),
    ...turns(events),
    ...once(events),
    ...events.flatMap((event) => undefinedIn(event, `seq ${event.seq}: ${event.type}`)),
  ];
}

/** When the bytes are an agent's own: messages and blocks fit together too, and nothing speaks before its start. */
export function violations(events: readonly AgentEvent[]): string[] {
  return [
    ...brokenFrame(events),
    ...blocks(events),
    ...messages(events),
    ...pairs(events, { start: 'tool-start', inside: toolInside, end: 'tool-end' }),
    ...pairs(events, { start: 'hook-start', inside: [], end: 'hook-end', mayStayOpen: true }),
    ...pairs(events, { start: 'task-start', inside: ['task-progress'], end: 'task-end', mayStayOpen: true }),
  ];
}

/** What is not known is not there. */
function undefinedIn(value: unknown, where: string): string[] {
  if (value === undefined) return [`${where} is undefined`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => undefinedIn(inner, `${where}/${name}`));
}

const toolInside = ['tool-input-delta', 'tool-input-end', 'tool-output-delta', 'tool-progress'] as const;

function sequence(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event, index) => [
    ...when(event.seq !== index + 1, `event ${index + 1} has seq ${event.seq}`),
    ...when(event.agent !== events[0]?.agent, `seq ${event.seq} is of another agent`),
    ...when(event.runId !== events[0]?.runId, `seq ${event.seq} is of another run`),
    ...when(!Number.isInteger(event.turn) || event.turn < 0, `seq ${event.seq} has turn ${event.turn}`),
  ]);
}

interface Pair {
  start: EventType;
  inside: readonly EventType[];
  end: EventType;
  /** Hooks and background work may outlive the stream; views list them as open. */
  mayStayOpen?: boolean;
  /** An id may be used again once it has ended. */
  mayRestart?: boolean;
}

/** Start before what is inside before end, each once per id. An end whose start was never seen is allowed. */
function pairs(events: readonly AgentEvent[], pair: Pair): string[] {
  const open = new Set<string>();
  const closed = new Set<string>();
  const wrong: string[] = [];
  for (const event of events) {
    const id = 'id' in event ? event.id : '';
    const what = `seq ${event.seq}: ${event.type} ${id}`;
    if (event.type === pair.start) {
      if (pair.mayRestart) closed.delete(id);
      if (open.has(id) || closed.has(id)) wrong.push(`${what} starts twice`);
      open.add(id);
    } else if (event.type === pair.end) {
      if (closed.has(id)) wrong.push(`${what} ends twice`);
      if (open.delete(id)) closed.add(id);
    } else if (pair.inside.includes(event.type)) {
      if (closed.has(id)) wrong.push(`${what} comes after its end`);
      else if (!open.has(id)) wrong.push(`${what} comes before its start`);
    }
  }
  if (pair.mayStayOpen) return wrong;
  return [...wrong, ...[...open].map((id) => `${pair.start} ${id} has no ${pair.end}`)];
}

/** Deltas of a block come before its end, add up to it, and belong to a message that has started. */
function blocks(events: readonly AgentEvent[]): string[] {
  const started = new Set<string>();
  const growing = new Map<string, string>();
  const ended = new Set<string>();
  const wrong: string[] = [];
  for (const event of events) {
    if (event.type === 'message-start') started.add(event.messageId);
    if (event.type === 'message-retract') {
      for (const map of [growing, ended]) {
        for (const key of [...map.keys()]) if (key.includes(` ${event.messageId} `)) map.delete(key);
      }
    }
    if (!isBlock(event)) continue;
    const [kind, step] = event.type.split('-');
    const key = `${kind} ${event.messageId} ${event.index}`;
    const what = `seq ${event.seq}: ${event.type} of ${key}`;
    if (!started.has(event.messageId)) wrong.push(`${what} before its message`);
    if (ended.has(key)) wrong.push(`${what} after its end`);
    if (step === 'delta') growing.set(key, (growing.get(key) ?? '') + ('text' in event ? event.text : ''));
    if (step === 'end') {
      const grown = growing.get(key);
      if (grown !== undefined && 'text' in event && grown !== event.text) wrong.push(`${what} differs from its deltas`);
      growing.delete(key);
      ended.add(key);
    }
  }
  return [...wrong, ...[...growing.keys()].map((key) => `${key} has deltas and no end`)];
}

type BlockEvent = EventOf<'text-delta' | 'text-end' | 'thinking-start' | 'thinking-delta' | 'thinking-end'>;

function isBlock(event: AgentEvent): event is BlockEvent {
  return /^(text-(delta|end)|thinking-(start|delta|end))$/.test(event.type);
}

function messages(events: readonly AgentEvent[]): string[] {
  const starts = idsOf(events, 'message-start', 'messageId');
  const ends = idsOf(events, 'message-end', 'messageId');
  return [
    ...twice(starts).map((id) => `message ${id} starts twice`),
    ...twice(ends).map((id) => `message ${id} ends twice`),
    ...ends.filter((id) => !starts.includes(id)).map((id) => `message ${id} ends without a start`),
  ];
}

/** Every request is answered or withdrawn, once. */
function approvals(events: readonly AgentEvent[]): string[] {
  const requests = idsOf(events, 'approval-request', 'id');
  const settled = events
    .filter((event) => event.type === 'approval-resolve' || event.type === 'approval-withdraw')
    .map(({ id }) => id);
  return [
    ...twice(requests).map((id) => `approval ${id} is requested twice`),
    ...twice(settled).map((id) => `approval ${id} is settled twice`),
    ...requests.filter((id) => !settled.includes(id)).map((id) => `approval ${id} is never settled`),
    ...settled.filter((id) => !requests.includes(id)).map((id) => `approval ${id} was never requested`),
  ];
}

/** Every turn that starts ends once; turns are counted from 1. */
function turns(events: readonly AgentEvent[]): string[] {
  const starts = events.filter((event) => event.type === 'turn-start').map(({ turn }) => turn);
  const ends = events.filter((event) => event.type === 'turn-end').map(({ turn }) => turn);
  return [
    ...starts.flatMap((turn, index) => when(turn !== index + 1, `turn-start ${index + 1} is of turn ${turn}`)),
    ...twice(ends).map((turn) => `turn ${turn} ends twice`),
    ...starts.filter((turn) => !ends.includes(turn)).map((turn) => `turn ${turn} never ends`),
    ...ends.filter((turn) => !starts.includes(turn)).map((turn) => `turn ${turn} ends without a start`),
  ];
}

function once(events: readonly AgentEvent[]): string[] {
  const count = (type: EventType) => events.filter((event) => event.type === type).length;
  return [
    ...when(count('session-start') > 1, 'the session starts twice'),
    ...when(count('run-end') > 0, 'only a run may say run-end'),
  ];
}

function idsOf<Type extends EventType, Key extends string>(
  events: readonly AgentEvent[],
  type: Type,
  key: Key,
): string[] {
  return events.flatMap((event) => (event.type === type && key in event ? [String((event as never)[key])] : []));
}

function twice<Value>(values: readonly Value[]): Value[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

function when(condition: boolean, sentence: string): string[] {
  return condition ? [sentence] : [];
}
