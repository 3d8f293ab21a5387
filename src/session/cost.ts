/** Where the money went, every figure with how it came to be known. */
import type { ModelUsage } from '../event/index.js';
import { values } from './chunks.js';
import { atLeast, type Figure, isFigure, type Ledger, stronger, sumFigures } from './ledger.js';
import { selectRun } from './select-run.js';
import type { Run, SessionState } from './state.js';
import { openRows } from './table.js';

export interface SessionCost {
  /** What the newest run spent itself. Absent is unknown, never zero. */
  run?: Figure;
  /** What the whole session cost, as far as it is known, with earlier runs that are not in this state. */
  session?: Figure;
  /** By model, as the newest run tells it; it reaches as far as the agent's own figures (`ledger.total.scope`). */
  models: readonly ModelUsage[];
}

export function selectCost(state: SessionState): SessionCost {
  const run = selectRun(state);
  const runs = [...values(state.runs.rows)];
  const session = sessionTotal(run) ?? sumFigures(runs.map(ownCost));
  return {
    run: withOpenTurns(state, run && ownCost(run)),
    session: withOpenTurns(state, session),
    models: run?.models ?? [],
  };
}

/** The run may know more at its end than its events told, for example what the session had cost before. */
function ownCost({ end, ledger }: Run): Figure | undefined {
  const told = isFigure(end?.cost) ? { usd: end.cost.usd, origin: end.cost.origin } : undefined;
  return stronger(addedUp(ledger), told);
}

function addedUp({ spent, subAgents, unpriced }: Ledger): Figure | undefined {
  if (spent === undefined) return subAgents && atLeast(subAgents);
  return unpriced > 0 ? atLeast(spent) : spent;
}

function sessionTotal(run: Run | undefined): Figure | undefined {
  const total = run?.ledger.total;
  if (run === undefined || total?.scope !== 'session') return undefined;
  // After a cleared conversation the agent's total forgets what came before, our own sum does not.
  const own = run.ledger.spent?.usd ?? 0;
  const figure = { usd: Math.max(total.usd, own), origin: total.origin };
  return run.ledger.unpriced > 0 ? atLeast(figure) : figure;
}

/** While a turn is under way more was spent than its running figure, if there is one, tells. */
function withOpenTurns(state: SessionState, known: Figure | undefined): Figure | undefined {
  const running = Array.from(openRows(state.turns), ([, turn]) => turn.costSoFar).filter(
    (figure) => figure !== undefined,
  );
  const sum = sumFigures(known ? [known, ...running] : running);
  return sum && state.turns.open.count > 0 ? atLeast(sum) : sum;
}
