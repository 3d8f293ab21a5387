/** The hard limits of a run: money, tokens, steps. Time is kept by the run itself, which owns the clock. */
import type { AgentEvent, EndReason } from '../../event/index.js';
import { tellUsd } from '../../ledger/index.js';
import type { RunSummary } from '../run-summary.js';

export interface Limits {
  budgetUsd?: number | undefined;
  budgetTokens?: number | undefined;
  /** Steps of the main conversation, for agents that cannot count them by themselves. */
  maxSteps?: number | undefined;
}

export interface Excess {
  reason: EndReason;
  message: string;
}

/** A check to be asked after every event that the summary has seen; it tells once what was exceeded. */
export function createLimitCheck(limits: Limits, summary: RunSummary): (event: AgentEvent) => Excess | undefined {
  const { budgetUsd, budgetTokens, maxSteps } = limits;
  let steps = 0;
  return (event) => {
    if (event.type === 'message-end' && !event.parent) steps += 1;
    else if (event.type !== 'turn-end' && event.type !== 'usage-update') return undefined;
    const usd = summary.spentUsd() ?? 0;
    if (budgetUsd !== undefined && usd > budgetUsd) {
      return { reason: 'over-budget', message: `spent ${tellUsd(usd)} of a budget of $${budgetUsd}` };
    }
    const tokens = summary.spentTokens();
    if (budgetTokens !== undefined && tokens > budgetTokens) {
      return { reason: 'over-budget', message: `used ${tokens} tokens of a budget of ${budgetTokens}` };
    }
    if (maxSteps !== undefined && steps > maxSteps) {
      return { reason: 'max-turns', message: `took more than ${maxSteps} steps` };
    }
    return undefined;
  };
}
