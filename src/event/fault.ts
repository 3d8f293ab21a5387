export type ErrorCategory =
  | 'auth'
  | 'billing'
  | 'rate-limit'
  | 'overloaded'
  | 'invalid-request'
  | 'model-not-found'
  | 'server'
  | 'network'
  | 'max-output'
  | 'refusal'
  | 'context-limit'
  | 'config'
  | 'interrupted'
  | 'unknown';

/** An agent's failure, safe to show. */
export interface ErrorFacts {
  category: ErrorCategory;
  message: string;
  /** What the user can do about it. */
  hint?: string;
  httpStatus?: number;
}

export type DecodeErrorCode = 'json_parse' | 'line_too_long' | 'encoding';

export type FaultDraft =
  /** The agent or its model failed. `fatal` when the turn cannot go on. */
  | ({ type: 'agent-error'; fatal: boolean } & ErrorFacts)
  /**
   * A line could not be read. Never carries its text. `cut` when the input ended inside it. With `count` it stands for so many
   * lines among others that say nothing, from `line` on, and `bytes` is their sum.
   */
  | { type: 'decode-error'; code: DecodeErrorCode; line: number; bytes: number; cut?: boolean; count?: number }
  /** glassbox itself has something to say that somebody must know. `code` is stable. */
  | { type: 'warning'; code: string; message: string }
  /** A declared loss: events `from` to `to` will not come. */
  | { type: 'gap'; from: number; to: number; why: string }
  /**
   * A line, block or delta that this version does not know, or, with `field`, one field of a line that it does know. Its
   * neighbours are unharmed. Names only, never content. With `count` it stands for so many lines, and `bytes` is their sum.
   */
  | { type: 'unknown'; wireType: string; wireSubtype?: string; field?: string; bytes: number; count?: number };

/** For how many lines such an event stands. */
export function lineCount({ count }: { count?: number }): number {
  return typeof count === 'number' && count > 0 ? count : 1;
}
