/**
 * What one run spent, in money and tokens: one fold over its events, for everybody who tells a figure.
 *
 * Agents' figures reach differently far. Those for a turn are added; cumulative ones are readings of a counter, from which what it
 * stood at before is subtracted, so that equal totals of two results, sub-agents inside a total and earlier runs count once. What
 * cannot be known stays unknown.
 */
import type { Balance, ModelUsage, Usage } from '../event/index.js';
import type { Figure } from './figure.js';

/** A plain immutable value; the events of the run alone determine it. */
export interface Ledger {
  /** Where the agent's counters stood when the run began: absent for a run that continues nothing, empty when nobody knows. */
  readonly balance?: Balance;
  /** The model of the main conversation. */
  readonly model?: string;
  /** What was spent before the agent last began to count anew. */
  readonly closed?: Figure;
  readonly count: Count;
  /** Turns under way. */
  readonly open: readonly OpenTurn[];
  /** Tokens of the turns that ended, of this run alone. */
  readonly models: readonly ModelUsage[];
  /** The turn that was charged last, and where it ended. */
  readonly charged?: { readonly turn: number; readonly seq: number };
  /** Events were lost, and figures with them. */
  readonly missed?: boolean;
}

/** From the beginning of the run, or from where the agent began to count anew. */
export interface Count {
  /** The counters began at nothing, whatever the run began with. */
  readonly isAnew?: boolean | undefined;
  readonly spent?: Figure | undefined;
  /** What the agent's counter of money stood at when the count began, as sure as that is known. */
  readonly start?: Figure | undefined;
  /** What its counters stood at last. */
  readonly reading?: Figure | undefined;
  readonly models?: readonly ModelUsage[] | undefined;
  readonly usage?: Usage | undefined;
  /** A turn ended without a figure, and no later reading contains it. */
  readonly unpriced?: boolean | undefined;
}

export interface OpenTurn {
  readonly turn: number;
  /** Where it began. */
  readonly seq: number;
  /** Its share of readings so far. */
  readonly charged?: Figure | undefined;
  /** The agent's own running figures for this turn alone. */
  readonly running?: Figure | undefined;
  readonly usage?: Usage | undefined;
  /** Figures of sub-agents, which the turn's own contains: used only when that never comes. */
  readonly nested?: Figure | undefined;
  /** Tokens of the messages that ended in it: of the main conversation, and of sub-agents. */
  readonly main: readonly ModelUsage[];
  readonly aside: readonly ModelUsage[];
  readonly hasSubAgents?: boolean | undefined;
}

/** What a turn is charged with once it ended. The charges of a run add up to what it spent. */
export interface Entry {
  /** 0 for what was spent outside of turns. */
  readonly turn: number;
  /** Absent when unknown. */
  readonly cost?: Figure | undefined;
  /** The turn in whose cost this one's is contained, where the agent cannot tell them apart. */
  readonly within?: number | undefined;
  /** Cache and sub-agents included. */
  readonly usage?: Usage | undefined;
  /** The same by model; their `usd` add up to `cost`. */
  readonly models: readonly ModelUsage[];
}

/** `balance`: as the run's own events would tell it. */
export function openLedger(balance?: Balance): Ledger {
  return { ...(balance && { balance }), count: {}, open: [], models: [] };
}
