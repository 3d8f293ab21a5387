/** What was filled in, under the names by which the agent asked, or everything that is wrong with it. */
import { type Field, readFilled } from '../../../consent/index.js';

export type FilledForm = { answers: Record<string, unknown> } | { problems: string[] };

/** The fields of the form are `f0`, `f1`, …, because names of an agent may be anything; one's own words are in `f0-own`. */
export function readForm(data: FormData, fields: readonly Field[]): FilledForm {
  const answers: [string, unknown][] = [];
  const problems: string[] = [];
  for (const [index, field] of fields.entries()) {
    const chosen = data.getAll(`f${index}`).map(String);
    const read = readFilled(field, { chosen: chosen.filter(Boolean), own: String(data.get(`f${index}-own`) ?? '') });
    if ('problem' in read) problems.push(read.problem);
    else if ('value' in read) answers.push([field.name, read.value]);
  }
  return problems.length > 0 ? { problems } : { answers: Object.fromEntries(answers) };
}
