import type { ErrorFacts } from './fault.js';
import type { Balance, Cost, Usage } from './turn.js';

/** Why a run ended. The first reason wins; `cancelled` wins ties. */
export const END_REASONS = [
  'finished',
  'failed',
  'cancelled',
  'timed-out',
  'stalled',
  'over-budget',
  'max-turns',
  'crashed',
  'spawn-failed',
] as const;

export type EndReason = (typeof END_REASONS)[number];

/** What was still open when the run ended. */
export interface OpenWork {
  tools: string[];
  tasks: string[];
  approvals: string[];
  /** Process ids that could not be ended. */
  processes: number[];
}

export interface LeftProcess {
  pid: number;
  /** Short, without arguments. */
  name: string;
}

/** A limit of the account that stopped a run, and that will be over. */
export interface ReachedLimit {
  /** When it is over, ms since the epoch. */
  until: number;
  /** Which one, as the agent calls it. */
  window?: string;
}

/** What a run came to; the value of its `completion` and the body of its last event. */
export interface Completion {
  reason: EndReason;
  /** The final answer of the last turn that had one. */
  text?: string;
  error?: ErrorFacts;
  /** Present when a limit stopped it of which the agent said when it ends: the session can go on then. */
  parked?: ReachedLimit;
  /** What this run alone cost; absent is unknown. */
  cost?: Cost;
  /** All its tokens, with cache and sub-agents. */
  usage?: Usage;
  /** Where the agent's counters stand, for a run that resumes this one. */
  balance?: Balance;
  turns: number;
  structuredOutput?: unknown;
  /** The agent's session id, to resume with. */
  sessionId?: string;
  exitCode?: number;
  signal?: string;
  /** Why it was ended and what was seen, for people; `reason` alone where nobody gave a reason. */
  detail?: string;
  /** What was done to end it, the gentlest first: `interrupted`, `sent SIGTERM`. */
  steps?: string[];
  open: OpenWork;
  /** Processes that were still there when the agent had gone and had had its time; they were ended, but for those in `open`. */
  leftBehind?: LeftProcess[];
  durationMs: number;
}

/** Last and once, only from a run. */
export type RunEnd = { type: 'run-end' } & Completion;
