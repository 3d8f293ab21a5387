/** Answers a question by its code, so that exactly what was read is answered. By anything less it is shown, with its code. */
import { lineFor } from '../../consent/index.js';
import { type Answer, GlassboxError } from '../../event/index.js';
import { safeLine } from '../../view/text/safe.js';
import type { Context } from '../context.js';
import type { StoreFlag } from '../flag/store-flag.js';
import { isCode, meantQuestions, type OpenQuestion } from '../kept/open-question.js';
import { giveAnswer } from '../kept/tell-session.js';
import { withStore } from '../kept/with-store.js';
import { type ColorChoice, wantsColor } from '../print/color.js';
import { print } from '../print/sink.js';
import { questionRows } from './question-rows.js';

export interface AnswerFlags extends StoreFlag {
  readonly color: ColorChoice;
}

/** `done`: what was done to the question, for people. `answerTo` throws when the answer does not fit it. */
export async function answerByCode(
  { process }: Context,
  flags: AnswerFlags,
  ref: string | undefined,
  { done, answerTo }: { done: string; answerTo(question: OpenQuestion): Answer },
): Promise<void> {
  const { stdout, env } = process;
  await withStore(flags, async (store) => {
    const questions = await meantQuestions(store, ref);
    const [question] = questions;
    if (question && ref !== undefined && isCode(ref)) {
      await giveAnswer(store, question, answerTo(question));
      return print(stdout, [`${done} ${question.session}: ${safeLine(lineFor(question.request), 200)}`]);
    }
    const options = { width: stdout.columns || 80, color: wantsColor(flags.color, stdout, env) };
    await print(
      stdout,
      questions.flatMap((one, index) => [...(index > 0 ? [''] : []), ...questionRows(one, options)]),
    );
    throw new GlassboxError(
      'invalid-request',
      'Nothing was answered. Name the question by its code, so that what you read is what you answer.',
    );
  });
}
