/** `glassbox answer`: what an agent wants to know, in the order in which it asks. */
import { type Field, fieldsOf, readTyped } from '../../../consent/index.js';
import { type Answer, GlassboxError } from '../../../event/index.js';
import { type AnswerFlags, answerByCode } from '../../ask/answer-by-code.js';
import type { Context } from '../../context.js';
import type { OpenQuestion } from '../../kept/open-question.js';

export async function answerQuestion(
  this: Context,
  flags: AnswerFlags,
  ref?: string,
  ...words: string[]
): Promise<void> {
  await answerByCode(this, flags, ref, { done: 'Answered', answerTo: (question) => answersTo(question, words) });
}

function answersTo({ request, code }: OpenQuestion, words: readonly string[]): Answer {
  const fields = fieldsOf(request);
  if (fields.length === 0)
    throw new GlassboxError('invalid-request', `It wants leave, not an answer: glassbox approve ${code}, or deny.`);
  const said = fields.length === 1 ? [words.join(' ')] : words;
  if (said.length > fields.length)
    throw new GlassboxError(
      'invalid-request',
      `It asks ${fields.length} things, and these are ${said.length} answers. Put quotes around each.`,
    );
  const answers = fields.flatMap((field, index) => {
    const value = readAnswer(field, said[index] ?? '');
    return value === undefined ? [] : [[field.name, value]];
  });
  return { type: 'answer', answers: Object.fromEntries(answers) };
}

function readAnswer(field: Field, said: string): unknown {
  if (field.type === 'secret')
    throw new GlassboxError(
      'invalid-request',
      'It asks for a secret, which others could read here. glassbox next asks for it.',
    );
  const read = readTyped(field, said);
  if ('problem' in read) throw new GlassboxError('invalid-request', read.problem);
  return read.value;
}
