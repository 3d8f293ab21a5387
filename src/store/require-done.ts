import { type ErrorCode, GlassboxError, type Reception } from '../event/index.js';

/** Throws a `GlassboxError`, with words for people, unless what was told to a run was done. */
export function requireDone(reception: Reception): void {
  if (reception.outcome === 'done') return;
  if (reception.outcome === 'refused') throw new GlassboxError(reception.code, reception.reason);
  throw new GlassboxError(...WORDS[reception.outcome]);
}

const WORDS: Record<'late' | 'gone' | 'unknown', [ErrorCode, string]> = {
  late: ['conflict', 'Too late: this was answered or done already, or the run no longer waits for it.'],
  gone: [
    'conflict',
    'The process that runs this does not answer, so that nothing was done. It may have ended or be stuck.',
  ],
  unknown: ['not-found', 'There is no such run or question.'],
};
