/** What a `GlassboxError` is about. */
export const ERROR_CODES = [
  /** An option or argument makes no sense, for example a line limit below the smallest. */
  'invalid-request',
  /** The agent cannot do what was asked; see its `capabilities`. */
  'unsupported-capability',
  /** No agent has this name, or the stream could not be recognised. */
  'unknown-agent',
  /** The agent's program is not installed or not on the search path. */
  'not-installed',
  /** The program is there but could not be started. */
  'spawn-failed',
  /** No such session, run, approval or file. */
  'not-found',
  /** The thing is no longer in a state that allows it, for example an approval that was already answered. */
  'conflict',
  /** Somebody asked without the right to. */
  'unauthorized',
  /** Known, but not allowed to do this here. */
  'forbidden',
  /** A source could not be read. */
  'read-failed',
  /** An output could not be written. */
  'write-failed',
  /** The store failed. */
  'store',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * The one error class of glassbox: what a caller must hear now.
 *
 * What an agent or its stream does is never thrown, it is an event or a completion. Callers branch on `code`;
 * the message says what failed and the next step, and is safe to show: no secret, no raw line, no stack needed.
 */
export class GlassboxError extends Error {
  override readonly name = 'GlassboxError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
