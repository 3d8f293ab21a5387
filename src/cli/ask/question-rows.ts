/** A whole question for who answers it by a command: what is asked, to its end, and only then the code by which it is answered. */
import { consentFor, fieldsOf } from '../../consent/index.js';
import type { RowOptions } from '../../view/text/consent-rows.js';
import { consentRows } from '../../view/text/index.js';
import { fieldRows } from '../../view/text/question-text.js';
import type { OpenQuestion } from '../kept/open-question.js';

export function questionRows({ session, request, code }: OpenQuestion, options: RowOptions): string[] {
  const consent = consentFor(request);
  const { head, body, always } = consentRows(consent, options);
  const fields = fieldsOf(request);
  const [title = '', ...facts] = head;
  const says = fields.length > 0 ? fields.flatMap((field) => fieldRows(field, options)) : [...body, ...always];
  return [
    `${session}: ${title}`,
    ...facts,
    ...says,
    ...(consent.missing === undefined ? [] : [consent.missing]),
    ...waysOf().map((way) => `  glassbox ${way}`),
  ];

  function waysOf(): string[] {
    const no = `deny ${code} "why not"`;
    if (consent.missing !== undefined) return [no];
    if (fields.length > 0) return [`answer ${code} ${fields.map(() => '"…"').join(' ')}`, no];
    return [`approve ${code}`, ...(always.length > 0 ? [`approve ${code} --always 1`] : []), no];
  }
}
