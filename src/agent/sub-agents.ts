/**
 * Sub-agents that leave conversations of their own, told within the one that called them: at their times, as far as the call is known by then,
 * and paid for by the turn that they worked for.
 */
import type { Cost, Draft, DraftOf, Loose, ModelUsage, Usage } from '../event/index.js';
import { addModels, addUsage, sumFigures } from '../ledger/index.js';
import type { Retelling, TurnEnd } from './retelling.js';
import type { Moment, TranscriptReader } from './transcript.js';

export interface SubAgents {
  /** Something that stands in the conversation of a sub-agent, `part` of it in that of one that it called itself; `at` where it has a time. */
  receive(name: string, value: unknown, at: number | undefined, part?: string): void;
  /** The call that it works for, which was told. */
  adopt(name: string, call: string): void;
  /** What they did until then is told. */
  advance(at: number): void;
  /** Its call has ended: what is open is closed. */
  finish(name: string): void;
  finishAll(): void;
  /** Adds what they used since the last call. */
  charge(end: TurnEnd): void;
}

interface SubAgent {
  readonly name: string;
  readonly reader: TranscriptReader;
  call?: string;
  /** What waits, and the time that what comes from each file has reached. */
  values: { value: unknown; part: string | undefined; at: number }[];
  readonly times: Map<string | undefined, number>;
}

export function createSubAgents(retelling: Retelling, createReader: () => TranscriptReader): SubAgents {
  const known = new Map<string, SubAgent>();
  let spent: Spent = {};

  function named(name: string): SubAgent {
    const found = known.get(name) ?? { name, reader: createReader(), values: [], times: new Map() };
    known.set(name, found);
    return found;
  }

  function tell({ name, call }: SubAgent, { draft, at }: Moment): void {
    if (draft.type === 'turn-end') spent = added(spent, draft);
    if (call === undefined || !TOLD.test(draft.type)) return;
    const parent = draft.parent === undefined ? call : `${name}/${draft.parent}`;
    retelling.add({ ...withOwnIds(draft, name), parent }, at);
  }

  /** Its own files may have been read one after the other; what it called belongs before what that gave back. */
  function tellUntil(at: number, some: Iterable<SubAgent>): void {
    const due: { one: SubAgent; value: unknown; part: string | undefined; at: number }[] = [];
    for (const one of some) {
      if (one.call === undefined || one.values.length === 0) continue;
      for (const value of one.values) if (value.at <= at) due.push({ one, ...value });
      one.values = one.values.filter((value) => value.at > at);
    }
    due.sort((a, b) => a.at - b.at);
    for (const { one, value, part } of due) for (const moment of one.reader.receive(value, part)) tell(one, moment);
  }

  function finish(one: SubAgent): void {
    tellUntil(Number.POSITIVE_INFINITY, [one]);
    for (const moment of one.reader.end().moments) tell(one, moment);
  }

  return {
    receive(name, value, at = 0, part) {
      const one = named(name);
      const time = Math.max(at, one.times.get(part) ?? 0);
      one.times.set(part, time);
      one.values.push({ value, part, at: time });
    },
    adopt(name, call) {
      named(name).call ??= call;
    },
    advance: (at) => tellUntil(at, known.values()),
    finish: (name) => finish(named(name)),
    finishAll() {
      for (const one of known.values()) if (one.call !== undefined) finish(one);
    },
    charge(end) {
      const { usage, cost, models = [] } = spent;
      spent = {};
      if (usage) Object.assign(end, { usage: addUsage(end.usage, usage), usageCovers: 'all' });
      if (end.turnModelUsage) end.turnModelUsage = addModels(end.turnModelUsage, models);
      if (cost) end.cost = end.cost ? { ...end.cost, ...sumFigures([end.cost, cost], 'turn') } : cost;
    },
  };
}

/** What it says and does; when it begins and ends is told by the call. */
const TOLD = /^(message|text|thinking|tool|user-message|file-change|task|permission-deny|retry|agent-error)/;

interface Spent {
  usage?: Usage | undefined;
  cost?: Cost | undefined;
  models?: ModelUsage[];
}

function added(before: Spent, { usage, cost, turnModelUsage }: DraftOf<'turn-end'>): Spent {
  return {
    usage: addUsage(before.usage, usage),
    cost: before.cost && cost ? { ...cost, ...sumFigures([before.cost, cost], 'turn') } : (cost ?? before.cost),
    models: addModels(before.models ?? [], turnModelUsage ?? []),
  };
}

/** Two conversations may use the same ids. */
function withOwnIds(draft: Loose<Draft>, name: string): Loose<Draft> {
  const { sessionId: _, ...told } = draft;
  const own: Record<string, unknown> = told;
  for (const key of ['id', 'messageId', 'toolId', 'taskId'])
    if (typeof own[key] === 'string') own[key] = `${name}/${own[key]}`;
  return own as Loose<Draft>;
}
