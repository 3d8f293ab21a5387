/** What a run came to, in the universal words. */
import type { Completion } from '../event/index.js';
import { boundData, boundFinalText } from './bound.js';
import type { EnvelopeCompletion, EnvelopeError } from './envelope.js';
import { sessionFacet } from './facet.js';

export interface OutcomeContext {
  timeoutMs: number;
  /** Which session was to be continued. */
  selector?: 'last' | 'id' | undefined;
}

export const CANCELLED: EnvelopeCompletion = failed('cancelled');
/** The promise behind a run never rejects; should it ever, this is what its caller hears. */
export const LOST: EnvelopeCompletion = failed('completion channel dropped');

export function outcomeOf(completion: Completion, context: OutcomeContext): EnvelopeCompletion {
  const error = errorOf(completion, context);
  if (error) return { ok: false, error };
  const { exitCode = null, signal = null, text, sessionId } = completion;
  const facet = sessionFacet(sessionId);
  return {
    ok: true,
    status: { code: exitCode, signal },
    ...(text !== undefined && { final_text: boundFinalText(text) }),
    ...(facet && { data: boundData(facet) }),
  };
}

function errorOf(completion: Completion, { timeoutMs, selector }: OutcomeContext): EnvelopeError | undefined {
  const message = completion.error?.message ?? '';
  switch (completion.reason) {
    case 'cancelled':
      return { kind: 'Backend', message: 'cancelled' };
    case 'timed-out':
      return { kind: 'Timeout', message: `timeout after ${timeoutMs} ms`, timeout_ms: timeoutMs };
    case 'spawn-failed':
      return { kind: 'Backend', message: message || 'the program could not be started' };
    default:
      if (selector === undefined || !NOT_FOUND.test(message)) return undefined;
      return { kind: 'Backend', message: selector === 'last' ? 'no session found' : 'session not found' };
  }
}

/** The agent itself says so; an exit status or a missing answer would only be a guess. */
const NOT_FOUND =
  /\bno (?:conversation|session|thread)s? (?:was |were )?found\b|\b(?:conversation|session|thread)\b[^.\n]{0,100}\bnot (?:be )?found\b/i;

function failed(message: string): EnvelopeCompletion {
  return { ok: false, error: { kind: 'Backend', message } };
}
