/** Turns: they may overlap, a result may come late, and each is charged with its own share of the cost. */
import type { AgentEvent, EventOf } from '../../event/index.js';
import type { Belonging, Turn } from '../item.js';
import { addRow, closeRow, findRow, isOpen, rowAt, setRow } from '../table/table.js';
import { account } from './account.js';
import { keep } from './copy.js';
import { elapsedMs } from './elapsed.js';
import { addItem, locate, type ReduceContext } from './reduce-context.js';

export function startTurn(context: ReduceContext, event: EventOf<'turn-start'>): void {
  const { state } = context;
  const { number, turn } = findOrAddTurn(context, event);
  if (turn.start !== undefined) return;
  state.turns = setRow(state.turns, number, { ...turn, start: keep(event) });
  account(context, event);
}

export function endTurn(context: ReduceContext, event: EventOf<'turn-end'>): void {
  const { state, run } = context;
  const found = findOrAddTurn(context, event);
  if (!isOpen(state.turns, found.number)) return;
  const turn: Turn = {
    ...found.turn,
    ...charge(context, event),
    end: keep(event),
    durationMs: event.durationMs ?? elapsedMs(found.turn.start?.at, event.at),
  };
  state.turns = closeRow(state.turns, found.number, turn);
  addItem(context, turn.thread, { kind: 'turn', number: found.number });
  run.thinkingTokens = undefined;
  run.compaction = undefined;
}

export function isTurnOver(context: ReduceContext, event: EventOf<'turn-end'>): boolean {
  const found = findTurn(context, locate(context, event));
  return found !== undefined && !isOpen(context.state.turns, found.number);
}

interface Found {
  number: number;
  turn: Turn;
}

function findOrAddTurn(context: ReduceContext, event: AgentEvent): Found {
  const { state } = context;
  const at = locate(context, event);
  const found = findTurn(context, at);
  if (found) return found;
  state.turns = addRow<Turn>(state.turns, turnKey(at), at);
  return { number: state.turns.rows.size - 1, turn: at };
}

function findTurn({ state }: ReduceContext, at: Belonging): Found | undefined {
  const number = findRow(state.turns, turnKey(at));
  const turn = rowAt(state.turns, number);
  return number === undefined || turn === undefined ? undefined : { number, turn };
}

/** Turns of a sub-agent are counted apart from those of the main conversation. */
function turnKey({ run, thread, turn }: Belonging): string {
  return `${run}:${thread}:${turn}`;
}

/** A sub-agent's own figures are told with its turn; its run is charged by the turn of the main conversation. */
function charge(context: ReduceContext, event: EventOf<'turn-end'>): Pick<Turn, 'cost' | 'costWithin' | 'usage'> {
  const [entry] = account(context, event);
  if (entry) return { cost: entry.cost, costWithin: entry.within, usage: entry.usage };
  const { cost, usage } = event;
  return { cost: cost?.scope === 'turn' ? { usd: cost.usd, scope: 'turn', origin: cost.origin } : undefined, usage };
}
