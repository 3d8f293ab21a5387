/** `glassbox deny`: no to exactly one question, with the reason that the agent reads. */
import { type AnswerFlags, answerByCode } from '../../ask/answer-by-code.js';
import type { Context } from '../../context.js';

export async function denyQuestion(
  this: Context,
  flags: AnswerFlags,
  ref?: string,
  ...reason: string[]
): Promise<void> {
  const message = reason.join(' ');
  await answerByCode(this, flags, ref, {
    done: 'Denied',
    answerTo: () => ({ type: 'deny', ...(message !== '' && { message }) }),
  });
}
