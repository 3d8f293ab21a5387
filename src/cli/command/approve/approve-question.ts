/** `glassbox approve`: leave for exactly one question. */
import { consentFor, fieldsOf } from '../../../consent/index.js';
import { type Answer, GlassboxError } from '../../../event/index.js';
import { answerByCode } from '../../ask/answer-by-code.js';
import { readReply } from '../../ask/read-reply.js';
import type { Context } from '../../context.js';
import type { OpenQuestion } from '../../kept/open-question.js';
import type { ApproveFlags } from './command.js';

export async function approveQuestion(this: Context, flags: ApproveFlags, ref?: string): Promise<void> {
  await answerByCode(this, flags, ref, { done: 'Allowed', answerTo: (question) => leaveFor(question, flags.always) });
}

function leaveFor({ request, code }: OpenQuestion, always: string | undefined): Answer {
  if (fieldsOf(request).length > 0)
    throw new GlassboxError('invalid-request', `It wants an answer, not leave: glassbox answer ${code} "…"`);
  const { missing, always: scopes } = consentFor(request);
  if (missing !== undefined) throw new GlassboxError('invalid-request', missing);
  if (always === undefined) return { type: 'approve' };
  const said = readReply(`a ${always}`, { scopes, canEdit: false, canLeave: false });
  if ('answer' in said) return said.answer;
  throw new GlassboxError('invalid-request', 'problem' in said ? said.problem : `--always ${always} makes no sense.`);
}
