/** Tokens: what a turn used, from the best that is told about it. */
import type { EventOf, ModelUsage, Usage } from '../event/index.js';
import type { Count, Ledger, OpenTurn } from './ledger.js';
import { addModels, isTelling, subtractModels, subtractUsage } from './usage.js';

export type TurnEnd = Pick<EventOf<'turn-end'>, 'turn' | 'seq'> & Partial<Omit<EventOf<'turn-end'>, 'turn' | 'seq'>>;

/** As far as is known before the turn ends. */
export function tokensSoFar(open: OpenTurn, model = ''): ModelUsage[] {
  const { usage, main } = open;
  return withAside(isTelling(usage) ? [{ model, ...usage }] : main, open);
}

/** Tokens of a turn that ended, and what the counters stand at after it. */
export function settleTokens(ledger: Ledger, open: OpenTurn, end: TurnEnd): { models: ModelUsage[]; count: Count } {
  const { usage, usageScope = 'turn', usageCovers } = end;
  const all = ownModels(ledger, end);
  const told = usage && ownUsage(ledger, end, usage);
  const main = isTelling(told) ? [{ model: ledger.model ?? '', ...told }] : undefined;
  const count: Count = {
    ...ledger.count,
    ...modelsAfter(ledger, end, all),
    ...(usage && usageScope !== 'turn' && { usage }),
  };
  if (all?.some(isTelling)) return { models: all, count };
  // A result that was held back: its tokens are in the turn before.
  if (all && main) return { models: [], count };
  if (main) return { models: usageCovers === 'all' ? main : withAside(main, open), count };
  return { models: tokensSoFar(open, ledger.model), count };
}

/** Undefined when the agent does not tell, or when nobody knows what its counters stood at before. */
function ownModels(ledger: Ledger, end: TurnEnd): ModelUsage[] | undefined {
  const { modelUsage: whole, turnModelUsage, cost } = end;
  if (!whole?.length || scopeOf(end) === 'turn') return whole?.length ? whole : turnModelUsage;
  if (ledger.count.models) return subtractModels(whole, ledger.count.models);
  if (scopeOf(end) === 'process' || cost?.turnUsd === cost?.usd) return whole;
  const before = modelsBefore(ledger);
  return turnModelUsage ?? (before && subtractModels(whole, before));
}

function modelsAfter(ledger: Ledger, end: TurnEnd, own: readonly ModelUsage[] | undefined): Pick<Count, 'models'> {
  if (end.modelUsage?.length && scopeOf(end) !== 'turn') return { models: end.modelUsage };
  const before = ledger.count.models ?? modelsBefore(ledger);
  return own && before ? { models: addModels(before, own) } : {};
}

function modelsBefore({ balance }: Ledger): readonly ModelUsage[] | undefined {
  return balance ? balance.modelUsage : [];
}

function ownUsage({ balance, count }: Ledger, { usageScope = 'turn' }: TurnEnd, whole: Usage): Usage | undefined {
  if (usageScope === 'turn') return whole;
  if (count.usage) return subtractUsage(whole, count.usage);
  const before = usageScope === 'session' && balance ? balance.usage : {};
  return before && subtractUsage(whole, before);
}

function scopeOf({ cost }: TurnEnd): 'turn' | 'process' | 'session' {
  return cost?.scope ?? 'process';
}

function withAside(main: readonly ModelUsage[], { aside, hasSubAgents }: OpenTurn): ModelUsage[] {
  if (!hasSubAgents || aside.some(isTelling)) return addModels(main, aside);
  return main.map((usage) => ({ ...usage, lacks: 'sub-agents' }));
}
