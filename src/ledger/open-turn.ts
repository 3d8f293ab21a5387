/** Turns under way: what is known of them before they end. */
import type { AgentEvent, EventOf, ModelUsage } from '../event/index.js';
import type { Ledger, OpenTurn } from './ledger.js';
import { addModels } from './usage.js';

/** Stands for a turn where a sub-agent goes on after the one that started it: the next turn to end takes its tokens. */
export const LATE = 0;

/** The turn that an event belongs to. A sub-agent may count turns of its own, so what it says belongs to the newest. */
export function turnOf({ open }: Ledger, { turn, seq, parent }: Pick<AgentEvent, 'turn' | 'seq' | 'parent'>): OpenTurn {
  const known = open.find((one) => one.turn === turn) ?? (parent === undefined ? undefined : open.at(-1));
  return known ?? { turn: parent === undefined ? turn : LATE, seq, main: [], aside: [] };
}

export function withTurn(ledger: Ledger, turn: OpenTurn): Ledger {
  const others = ledger.open.filter((open) => open.turn !== turn.turn);
  return { ...ledger, open: [...others, turn] };
}

export function withSubAgents(ledger: Ledger, event: EventOf<'task-start'>): Ledger {
  return withTurn(ledger, { ...turnOf(ledger, event), hasSubAgents: true });
}

export function withMessage(ledger: Ledger, event: EventOf<'message-end'>): Ledger {
  const open = turnOf(ledger, event);
  const usage: ModelUsage[] = event.usage ? [{ model: event.model ?? ledger.model ?? '', ...event.usage }] : [];
  if (event.parent === undefined) return withTurn(ledger, { ...open, main: addModels(open.main, usage) });
  return withTurn(ledger, { ...open, aside: addModels(open.aside, usage), hasSubAgents: true });
}

export function withLate(ledger: Ledger, turn: OpenTurn): OpenTurn {
  const late = ledger.open.find((open) => open.turn === LATE);
  if (!late || late === turn) return turn;
  return { ...turn, aside: addModels(turn.aside, late.aside), hasSubAgents: true };
}
