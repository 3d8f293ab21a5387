import type { Cost, Usage } from './turn.js';

export type StatusDraft =
  /** Something worth a quiet line. `code` is stable, `text` is for people. */
  | { type: 'status'; code: string; text?: string; level?: 'info' | 'notice' | 'warning' }
  /** A model call failed and will be tried again. */
  | { type: 'retry'; attempt?: number; maxAttempts?: number; delayMs?: number; httpStatus?: number; why?: string }
  | {
      type: 'rate-limit';
      state: 'allowed' | 'warning' | 'rejected';
      /** When it ends, ms since the epoch. */
      resetsAt?: number;
      window?: string;
      /** Share used, 0 to 1. */
      utilization?: number;
    }
  | { type: 'compaction-start'; trigger?: string }
  | {
      type: 'compaction-end';
      trigger?: string;
      tokensBefore?: number;
      tokensAfter?: number;
      durationMs?: number;
      error?: string;
    }
  | { type: 'hook-start'; id: string; name: string; event?: string }
  | {
      type: 'hook-end';
      id: string;
      name: string;
      event?: string;
      outcome: 'ok' | 'failed' | 'cancelled';
      exitCode?: number;
      output?: string;
    }
  /** A running figure before the turn ends. */
  | {
      type: 'usage-update';
      usage?: Usage;
      cost?: Cost;
      thinkingTokens?: number;
      contextTokens?: number;
      contextLimit?: number;
    };
