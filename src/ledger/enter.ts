import type { AgentEvent, Balance, EventOf, ModelUsage } from '../event/index.js';
import { closeCount, enterFigure } from './count.js';
import { addUsd, atLeast, type Figure, isFigure, plus, telling } from './figure.js';
import type { Entry, Ledger, OpenTurn } from './ledger.js';
import { LATE, turnOf, withLate, withMessage, withSubAgents, withTurn } from './open-turn.js';
import { settleTokens, type TurnEnd } from './tokens.js';
import { costOf } from './total.js';
import { addModels, sumModels } from './usage.js';

export interface Entered {
  readonly ledger: Ledger;
  /** What the event settles: nothing, for most of them. */
  readonly entries: readonly Entry[];
}

/** Where an agent's counters stood according to whoever keeps its earlier runs. */
export type FindBalance = () => Balance | undefined;

/** Tells nothing of money or tokens. */
// biome-ignore format: to be read at one glance
type Costless =
  | 'message-start' | 'text-delta' | 'text-end' | 'thinking-start' | 'thinking-delta' | 'thinking-end'
  | 'message-retract' | 'user-message' | 'tool-start' | 'tool-input-delta' | 'tool-input-end' | 'tool-output-delta'
  | 'tool-progress' | 'tool-end' | 'file-change' | 'todo-update' | 'plan-mode' | 'task-progress' | 'task-end'
  | 'approval-request' | 'approval-resolve' | 'approval-withdraw' | 'permission-deny' | 'status' | 'retry'
  | 'rate-limit' | 'compaction-start' | 'compaction-end' | 'hook-start' | 'hook-end' | 'agent-error' | 'decode-error'
  | 'warning' | 'unknown';

/** The ledger after one event. `find` is asked when a figure reaches back and the run itself does not tell how far. */
export function enter(ledger: Ledger, event: AgentEvent, find?: FindBalance): Entered {
  switch (event.type) {
    case 'session-start':
    case 'session-update':
      return only(event.parent === undefined ? introduced(ledger, event) : ledger);
    case 'session-change':
      if (event.reason === 'clear') return only(closeCount(ledger, { isAnew: true, models: [], usage: {} }));
      return only(event.reason === 'unknown' ? ledger : { ...ledger, balance: ledger.balance ?? {} });
    case 'turn-start':
      return only(event.parent === undefined ? withTurn(ledger, turnOf(ledger, event)) : ledger);
    case 'task-start':
      return only(event.kind === 'agent' && ledger.open.length > 0 ? withSubAgents(ledger, event) : ledger);
    case 'message-end':
      return only(event.usage || ledger.open.length > 0 ? withMessage(ledger, event) : ledger);
    case 'usage-update':
      return event.parent === undefined ? update(informed(ledger, event, find), event) : only(ledger);
    case 'turn-end':
      return event.parent === undefined ? endTurn(informed(ledger, event, find), event) : endNested(ledger, event);
    case 'gap':
      return only({ ...ledger, missed: true });
    case 'run-end':
      return close(ledger, event);
    default:
      event satisfies EventOf<Costless>;
      return only(ledger);
  }
}

const NOTHING: readonly Entry[] = [];

function only(ledger: Ledger): Entered {
  return { ledger, entries: NOTHING };
}

function introduced(ledger: Ledger, { model, resumed }: EventOf<'session-start' | 'session-update'>): Ledger {
  const balance = ledger.balance ?? (resumed ? {} : undefined);
  return { ...ledger, ...(model !== undefined && { model }), ...(balance && { balance }) };
}

function informed(ledger: Ledger, event: EventOf<'turn-end' | 'usage-update'>, find: FindBalance | undefined): Ledger {
  const { count, balance } = ledger;
  const reachesBack = event.cost?.scope === 'session' || (event.type === 'turn-end' && event.usageScope === 'session');
  const isKnown = count.isAnew || count.reading || count.usage || balance?.cost;
  const found = reachesBack && !isKnown ? find?.() : undefined;
  return found ? { ...ledger, balance: found } : ledger;
}

function update(ledger: Ledger, event: EventOf<'usage-update'>): Entered {
  const { balance, cost, usage } = event;
  // Somebody else went on with the session, or did so before.
  if (balance) return only({ ...closeCount(ledger, {}), balance });
  const isUnderWay = ledger.open.some(({ turn }) => turn === event.turn);
  const open: OpenTurn = { ...turnOf(ledger, event), ...(usage && { usage }) };
  if (!isFigure(cost)) return only(isUnderWay ? withTurn(ledger, open) : ledger);
  if (cost.scope === 'turn') return only(withTurn(ledger, { ...open, running: cost }));
  const { ledger: after, charge } = enterFigure(ledger, cost);
  if (isUnderWay) return only(withTurn(after, { ...open, ...(charge && { charged: plus(open.charged, charge) }) }));
  return { ledger: after, entries: [entryOf(ledger, { turn: 0, cost: charge, models: [] })] };
}

function endTurn(before: Ledger, event: TurnEnd): Entered {
  const turn = withLate(before, turnOf(before, event));
  const { models, count } = settleTokens(before, turn, event);
  const open = before.open.filter((other) => other.turn !== event.turn && other.turn !== LATE);
  const settled: Ledger = { ...before, count, open, models: addModels(before.models, models) };
  const told = turn.running ?? turn.nested;
  const figure = isFigure(event.cost) ? event.cost : told && atLeast(told);
  const { ledger, charge } = enterFigure(settled, figure);
  const within = charge?.usd === 0 && !turn.charged ? overlapping(before, turn) : undefined;
  if (within !== undefined) return { ledger, entries: [entryOf(before, { turn: event.turn, within, models })] };
  const cost = charge ? plus(turn.charged, charge) : turn.charged && atLeast(turn.charged);
  return {
    ledger: figure ? { ...ledger, charged: { turn: event.turn, seq: event.seq } } : ledger,
    entries: [entryOf(before, { turn: event.turn, cost, models })],
  };
}

/**
 * A result that was held back until the next turn's carries the same total: what the second one cost is contained in the first
 * one's share, and nobody can tell how much it was.
 */
function overlapping({ charged }: Ledger, { seq }: OpenTurn): number | undefined {
  return charged && charged.seq > seq ? charged.turn : undefined;
}

function endNested(ledger: Ledger, event: EventOf<'turn-end'>): Entered {
  const { cost } = event;
  if (!isFigure(cost) || cost.scope !== 'turn') return only(ledger);
  const turn = turnOf(ledger, event);
  return only(withTurn(ledger, { ...turn, nested: plus(turn.nested, cost), hasSubAgents: true }));
}

/** What is open ends unpriced. A run may know better what it cost than those of its events that are here. */
function close(before: Ledger, { turn, seq, cost }: EventOf<'run-end'>): Entered {
  let ledger = before;
  const entries: Entry[] = [];
  for (const open of before.open) {
    const ended = endTurn(ledger, { turn: open.turn, seq });
    ledger = ended.ledger;
    entries.push(...ended.entries);
  }
  const { missed, closed: _, ...rest } = ledger;
  const known = costOf(ledger);
  const isInformed = isFigure(cost) && cost.usd >= (known?.usd ?? 0) && cost.origin !== 'lower-bound';
  if (!isInformed || !(missed || ledger.count.start?.origin === 'lower-bound')) return { ledger, entries };
  const left: Figure = { ...cost, usd: addUsd(cost.usd, -(known?.usd ?? 0)) };
  entries.push(entryOf(ledger, { turn, cost: left, models: [] }));
  return { ledger: { ...rest, count: { ...rest.count, spent: cost, unpriced: false } }, entries };
}

function entryOf({ model = '' }: Ledger, entry: Entry): Entry {
  const cost = telling(entry.cost && { ...entry.cost, scope: 'turn' });
  const { cost: _, ...facts } = entry;
  const usage = sumModels(entry.models);
  const models = cost ? priced(entry.models, cost.usd, model) : unpriced(entry, model);
  return { ...facts, ...(cost && { cost }), ...(usage && { usage }), models };
}

/** Something was spent, if only nobody knows what. */
function unpriced({ models, within }: Entry, main: string): ModelUsage[] {
  if (models.length === 0) return within === undefined ? [{ model: main }] : [];
  return models.map(({ usd: _, ...tokens }) => tokens);
}

/** What the models cost may not add up to what the turn did: the main model takes the difference. */
function priced(models: readonly ModelUsage[], usd: number, main: string): ModelUsage[] {
  const rest = models.reduce((left, each) => left - (each.usd ?? 0), usd);
  const takes = models.find(({ model }) => model === main) ?? models[0];
  if (!takes) return [{ model: main, usd }];
  return models.map((each) => (each === takes ? { ...each, usd: addUsd(each.usd ?? 0, rest) } : each));
}
