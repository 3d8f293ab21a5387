/** What was filled in, under the names by which the agent asked. */
import type { Question } from '../../../event/index.js';
import type { SchemaField } from './schema-fields.js';

/** Questions are the fields `q0`, `q1`, …, those of a schema `f0`, `f1`, …, because names of an agent may be anything. */
export function readAnswers(
  data: FormData,
  questions: readonly Question[],
  fields: readonly SchemaField[],
): Record<string, unknown> {
  if (questions.length > 0) {
    return Object.fromEntries(
      questions.map(({ question, multiple = false }, index) => [question, answerTo(data, `q${index}`, multiple)]),
    );
  }
  return Object.fromEntries(
    fields.flatMap((field, index): [string, unknown][] => {
      const value = data.get(`f${index}`);
      if (field.type === 'boolean') return [[field.name, value !== null]];
      if (typeof value !== 'string' || (value === '' && !field.isRequired)) return [];
      return [[field.name, field.type === 'text' ? value : Number(value)]];
    }),
  );
}

/** One's own words go before an option that was marked from the beginning, and beside options that were chosen. */
function answerTo(data: FormData, name: string, multiple: boolean): string {
  const other = String(data.get(`${name}-other`) ?? '').trim();
  const chosen = data.getAll(name).map(String);
  if (other === '') return chosen.join(', ');
  return multiple ? [...chosen, other].join(', ') : other;
}
