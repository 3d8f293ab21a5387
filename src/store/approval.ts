import type { DecidedBy, EventOf } from '../event/index.js';

/** An approval that waits, with what is needed to show it. */
export interface ApprovalRecord {
  runId: string;
  /** Our session, by its short id. */
  session: string;
  request: EventOf<'approval-request'>;
}

/** What somebody wants the owner of the run to tell the agent. */
export type ApprovalAnswer = { by: DecidedBy; rule?: string } & (
  | {
      type: 'approve';
      /** Changes to the asked-for input by JSON Pointer, so that an untouched redacted or cut field keeps its original. */
      changes?: Readonly<Record<string, unknown>>;
      /** Fields to leave out, by JSON Pointer. */
      removals?: readonly string[];
      /** Also in the future. */
      remember?: boolean;
    }
  | { type: 'deny'; message?: string; interrupt?: boolean }
  | { type: 'answer'; answers: Record<string, unknown> }
);

/** An answer on its way to the agent. */
export interface Decided {
  id: string;
  answer: ApprovalAnswer;
}

/** What became of an answer at its run: the agent heard it, it was too late, or it made no sense and why. */
export type Reception = 'accepted' | 'late' | { refused: string };

/** `late`: somebody else was first, or the agent no longer waits. `unknown`: there was never such an approval. */
export type DecisionResult = 'accepted' | 'late' | 'unknown';
