import type { Balance, Cost, Usage } from './turn.js';

/** Whether an account may go on, in the agent's own view; `unknown` when it says so in words that nobody knows. */
export type LimitState = 'allowed' | 'warning' | 'rejected' | 'unknown';

/** One span of time in which an account may use so much; every agent's limits have this shape. */
export interface LimitWindow {
  /** `five_hour` and `seven_day` where they are that long, whoever limits; others as the agent calls them. */
  name: string;
  /** Share used, 0 to 1. */
  utilization?: number;
  /** When it ends, ms since the epoch. */
  resetsAt?: number;
  state?: LimitState;
}

export type StatusDraft =
  /** Something worth a quiet line. `code` is stable, `text` is for people. */
  | { type: 'status'; code: string; text?: string; level?: 'info' | 'notice' | 'warning' }
  /** A model call failed and will be tried again. */
  | { type: 'retry'; attempt?: number; maxAttempts?: number; delayMs?: number; httpStatus?: number; why?: string }
  /** How far the account is used up. What is not told is not known, never zero. */
  | {
      type: 'rate-limit';
      state: LimitState;
      /** The window that decides about `state`, where the agent names one. */
      window?: string;
      /** When that window ends, ms since the epoch. */
      resetsAt?: number;
      /** Share of it that is used, 0 to 1. */
      utilization?: number;
      /** Every window that the agent told of. */
      windows?: LimitWindow[];
    }
  /** The agent begins to sum up its conversation, to make room. */
  | { type: 'compaction-start'; trigger?: string }
  /** From here on the agent knows only the summary; or it could not make one (`error`), or nobody knows (`error`, from a `synthetic` source). */
  | {
      type: 'compaction-end';
      trigger?: string;
      tokensBefore?: number;
      tokensAfter?: number;
      durationMs?: number;
      error?: string;
    }
  /** A program of the user that the agent calls at certain moments has begun. `event` is the agent's name of the moment. */
  | { type: 'hook-start'; id: string; name: string; event?: string }
  /** Such a program ended; `unknown` when the stream ended before it did. */
  | {
      type: 'hook-end';
      id: string;
      name: string;
      event?: string;
      outcome: 'ok' | 'failed' | 'cancelled' | 'unknown';
      exitCode?: number;
      output?: string;
    }
  /** A running figure before the turn ends; or, with `balance`, where the counters of the session stand that the run goes on with. */
  | {
      type: 'usage-update';
      balance?: Balance;
      usage?: Usage;
      cost?: Cost;
      thinkingTokens?: number;
      contextTokens?: number;
      contextLimit?: number;
    };
