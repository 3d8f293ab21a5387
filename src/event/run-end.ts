import type { ErrorFacts } from './fault.js';
import type { Cost, Usage } from './turn.js';

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

/** What a run came to; the value of its `completion` and the body of its last event. */
export interface Completion {
  reason: EndReason;
  /** The final answer of the last turn that had one. */
  text?: string;
  error?: ErrorFacts;
  /** What this run alone cost. */
  cost?: Cost;
  usage?: Usage;
  turns: number;
  structuredOutput?: unknown;
  /** The agent's session id, to resume with. */
  sessionId?: string;
  exitCode?: number;
  signal?: string;
  /** What the ending did and saw, for people. */
  detail?: string;
  open: OpenWork;
  durationMs: number;
}

/** Last and once, only from a run. */
export type RunEnd = { type: 'run-end' } & Completion;
