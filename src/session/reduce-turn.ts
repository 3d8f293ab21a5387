/** Turns: they may overlap, a result may come late, and each is charged with its own share of the cost. */
import type { AgentEvent, Cost, EventOf, ModelUsage, Usage } from '../event/index.js';
import { findBaseline } from './baseline.js';
import { keep } from './copy.js';
import type { Belonging, Turn } from './item.js';
import { enter, isFigure } from './ledger.js';
import { addItem, locate, type Scene } from './scene.js';
import { MAIN_THREAD } from './state.js';
import { addRow, closeRow, findRow, isOpen, rowAt, setRow } from './table.js';
import { addModels, addUsage, isTelling, subtractUsage } from './usage.js';

export function startTurn(scene: Scene, event: EventOf<'turn-start'>): void {
  const { state } = scene;
  const { number, turn } = findOrAddTurn(scene, event);
  if (turn.start === undefined) state.turns = setRow(state.turns, number, { ...turn, start: keep(event) });
}

export function endTurn(scene: Scene, event: EventOf<'turn-end'>): void {
  const { state, run } = scene;
  const found = findOrAddTurn(scene, event);
  if (!isOpen(state.turns, found.number)) return;
  const turn: Turn = {
    ...found.turn,
    ...charge(scene, found, finalCost(found.turn, event)),
    end: keep(event),
    costSoFar: undefined,
    durationMs: event.durationMs ?? (found.turn.start && event.at - found.turn.start.at),
    usage: ownUsage(scene, found.turn, event),
  };
  state.turns = closeRow(state.turns, found.number, turn);
  addItem(scene, turn.thread, { kind: 'turn', number: found.number });
  run.thinkingTokens = undefined;
  run.compaction = undefined;
  if (turn.thread === MAIN_THREAD) sumUp(scene, turn);
}

/** Figures that come before the turn's end, or between turns. */
export function updateTurnFigures(scene: Scene, event: EventOf<'usage-update'>): void {
  const { state } = scene;
  const { cost, usage } = event;
  const own = isFigure(cost) && cost.scope === 'turn' ? { usd: cost.usd, origin: cost.origin } : undefined;
  const found = findTurn(scene, locate(scene, event));
  const isUnderWay = found !== undefined && isOpen(state.turns, found.number);
  const charged = own ? { costSoFar: own } : charge(scene, isUnderWay ? found : undefined, cost);
  if (!isUnderWay) return;
  state.turns = setRow(state.turns, found.number, { ...found.turn, ...charged, running: usage ?? found.turn.running });
}

export function isTurnOver(scene: Scene, event: EventOf<'turn-end'>): boolean {
  const found = findTurn(scene, locate(scene, event));
  return found !== undefined && !isOpen(scene.state.turns, found.number);
}

/** Changes the turn to which a record belongs; nothing when none was seen. */
export function changeTurn(scene: Scene, at: Belonging, change: (turn: Turn) => Turn): void {
  const found = findTurn(scene, at);
  if (found) scene.state.turns = setRow(scene.state.turns, found.number, change(found.turn));
}

interface Found {
  number: number;
  turn: Turn;
}

function findOrAddTurn(scene: Scene, event: AgentEvent): Found {
  const { state } = scene;
  const at = locate(scene, event);
  const found = findTurn(scene, at);
  if (found) return found;
  state.turns = addRow<Turn>(state.turns, turnKey(at), at);
  return { number: state.turns.rows.size - 1, turn: at };
}

function findTurn({ state }: Scene, at: Belonging): Found | undefined {
  const number = findRow(state.turns, turnKey(at));
  const turn = rowAt(state.turns, number);
  return number === undefined || turn === undefined ? undefined : { number, turn };
}

/** Turns of a sub-agent are counted apart from those of the main conversation. */
function turnKey({ run, thread, turn }: Belonging): string {
  return `${run}:${thread}:${turn}`;
}

/** A turn that ends without a figure cost at least what was told on the way. */
function finalCost({ costSoFar }: Turn, event: EventOf<'turn-end'>): Cost | undefined {
  return event.cost ?? (costSoFar && { usd: costSoFar.usd, scope: 'turn', origin: 'lower-bound' });
}

/** Enters a figure into the run's ledger; gives what the turn is charged with. */
function charge(scene: Scene, found: Found | undefined, cost: Cost | undefined): Partial<Turn> {
  if (!isFigure(cost)) return {};
  const before = { ...scene.run.ledger, baseline: findBaseline(scene) };
  const nested = found !== undefined && found.turn.thread !== MAIN_THREAD;
  const { ledger, charged } = enter(before, { cost, before: found?.turn.cost, nested });
  const costWithin = found && charged?.usd === 0 ? overlapping(scene, found.turn) : undefined;
  scene.run.ledger = { ...ledger, pricedTurn: costWithin ?? found?.number ?? ledger.pricedTurn };
  return costWithin === undefined ? { cost: charged } : { costWithin };
}

/**
 * A result that was held back until the next turn's carries the same total: what the second
 * one cost is contained in the first one's share, and nobody can tell how much it was.
 */
function overlapping({ state, run }: Scene, turn: Turn): number | undefined {
  const last = rowAt(state.turns, run.ledger.pricedTurn);
  const overlaps = last?.end && turn.start && last.end.seq > turn.start.seq;
  return overlaps ? run.ledger.pricedTurn : undefined;
}

function sumUp({ run }: Scene, { end, usage, cost, costWithin }: Turn): void {
  run.usage = addUsage(run.usage, usage);
  run.models = modelsAfter(run.models, end);
  const isPriced = cost !== undefined || costWithin !== undefined || isFigure(end?.cost);
  if (!isPriced) run.ledger = { ...run.ledger, unpriced: run.ledger.unpriced + 1 };
}

/** Cumulative tokens are reduced by those before; a resumed run's first ones reach back nobody knows how far. */
function ownUsage({ run }: Scene, turn: Turn, { usage, usageScope = 'turn' }: EventOf<'turn-end'>): Usage | undefined {
  const before = run.usageTotal ?? (usageScope === 'session' && run.facts.resumed ? undefined : {});
  const isWhole = usageScope !== 'turn' && turn.thread === MAIN_THREAD;
  if (isWhole) run.usageTotal = usage ?? run.usageTotal;
  const told = isWhole ? before && subtractUsage(usage, before) : usage;
  return isTelling(told) ? told : (turn.running ?? turn.estimate ?? told);
}

function modelsAfter(models: readonly ModelUsage[], end: Turn['end']): readonly ModelUsage[] {
  if (end?.modelUsage === undefined) return models;
  return end.cost?.scope === 'turn' ? addModels(models, end.modelUsage) : end.modelUsage;
}
