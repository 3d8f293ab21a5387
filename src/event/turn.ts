import type { ErrorFacts } from './fault.js';

/** How one turn ended, in the agent's own view. */
export type TurnOutcome =
  | 'success'
  | 'failed'
  | 'interrupted'
  | 'max-turns'
  | 'over-budget'
  /** The stream ended without saying how. */
  | 'unknown';

/** Tokens as the agent counts them; absent is unknown, never zero. */
export interface Usage {
  /** Fresh input tokens, without the cached ones. */
  inputTokens?: number;
  outputTokens?: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  /** Part of `outputTokens` that was thinking, where the agent tells. */
  thinkingTokens?: number;
  /** Of a sum: sub-agents ran, and nobody told their tokens. Without it they are included. */
  lacks?: 'sub-agents';
}

/** An amount of money and how far it reaches. The protocol sets it, because it knows its agent; the ledger only subtracts. */
export interface Cost {
  usd: number;
  /** `turn`: this turn alone; `process`: everything since the process started; `session`: also earlier runs that this one resumes. */
  scope: 'turn' | 'process' | 'session';
  origin: CostOrigin;
  /** This turn's own share, where the agent tells it beside a cumulative figure. */
  turnUsd?: number;
}

/** `reported` by the agent, `computed` from usage and a price table, `lower-bound` when at least this much was spent. */
export type CostOrigin = 'reported' | 'computed' | 'lower-bound';

export interface ModelUsage extends Usage {
  model: string;
  usd?: number;
}

/** Where an agent's counters of a session stand: what a run that continues it begins with. What is absent is unknown. */
export interface Balance {
  cost?: Cost;
  /** Of the main conversation, for agents that count it over a session. */
  usage?: Usage;
  modelUsage?: ModelUsage[];
}

/** A tool call that was not allowed, as the agent sums it up at the end of a turn. */
export interface Denial {
  toolName: string;
  toolId?: string;
  input?: unknown;
}

export type TurnDraft =
  /** `origin` says why the turn began where nobody typed, for example `task-notification`. */
  | { type: 'turn-start'; origin?: string }
  /** The agent gave its result; once per turn, also when the stream was cut (`unknown`). */
  | {
      type: 'turn-end';
      outcome: TurnOutcome;
      /** The answer: the agent's final text of this turn. */
      text?: string;
      error?: ErrorFacts;
      cost?: Cost;
      /** Tokens of this turn's main conversation. */
      usage?: Usage;
      /** `all`: `usage` counts sub-agents too. */
      usageCovers?: 'all';
      /** How far `usage` reaches where it is more than this turn; the ledger subtracts what was known before. */
      usageScope?: Cost['scope'];
      /** Per model, sub-agents included; same reach as `cost`. */
      modelUsage?: ModelUsage[];
      /** This turn's own share of it, where the agent tells that beside a cumulative one. */
      turnModelUsage?: ModelUsage[];
      durationMs?: number;
      apiDurationMs?: number;
      /** The agent's own count of its steps. */
      steps?: number;
      stopReason?: string;
      /** The agent's own word for why it ended, for example `aborted_streaming`. */
      reason?: string;
      denials?: Denial[];
      structuredOutput?: unknown;
      /** Ids of background tasks that go on after this turn. */
      openTasks?: string[];
      origin?: string;
      /** By which the agent can be told to go on from here (`resumeAt` of a run), where it can. */
      resumeAt?: string;
    };
