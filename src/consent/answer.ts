/** What somebody filled in, as the answer to a field; or what is wrong with it. */
import type { Field } from './field.js';

export interface Filled {
  chosen: readonly string[];
  own: string;
}

/** Without a `value` the field is left out of the answer. */
export type Read = { value?: unknown } | { problem: string };

export function readFilled(field: Field, { chosen, own }: Filled): Read {
  const { type, isRequired, isMultiple } = field;
  if (type === 'boolean') return { value: chosen.length > 0 };
  const words = type === 'secret' ? own : own.trim();
  const said = isMultiple ? [...chosen, words].filter(Boolean).join(', ') : words || (chosen[0] ?? '');
  if (said === '') return isRequired ? { problem: `${nameOf(field)} is not answered yet.` } : {};
  if (type !== 'number' && type !== 'integer') return { value: said };
  const number = Number(said);
  if (!Number.isFinite(number) || (type === 'integer' && !Number.isInteger(number))) {
    return { problem: `${nameOf(field)} wants ${type === 'integer' ? 'a whole number' : 'a number'}.` };
  }
  return { value: number };
}

/** A line that was typed: numbers mean choices, an empty line takes what is proposed. */
export function readTyped(field: Field, line: string): Read {
  const { type, choices, isMultiple, initial, isOpen } = field;
  if (line.trim() === '') {
    if (initial !== '') return readTyped(field, initial);
    return readFilled({ ...field, type: 'text' }, { chosen: [], own: '' });
  }
  if (type === 'boolean') return readYesNo(line.trim());
  if (choices.length === 0) return readFilled(field, { chosen: [], own: line });
  if (!isMultiple && /^\s*\d+(\s*,\s*\d+)+\s*$/.test(line))
    return { problem: `Only one can be chosen, ${numbersOf(field)}.` };
  const parts = isMultiple ? line.split(',').map((part) => part.trim()) : [line.trim()];
  const taken = parts.filter(Boolean).map((part) => takeChoice(part, field));
  const wrong = taken.find((one) => 'problem' in one);
  if (wrong && 'problem' in wrong) return wrong;
  const own = taken.flatMap((one) => ('own' in one ? [one.own] : [])).join(', ');
  if (own !== '' && !isOpen) return { problem: `Choose ${numbersOf(field)}.` };
  return readFilled(field, { chosen: taken.flatMap((one) => ('chosen' in one ? [one.chosen] : [])), own });
}

/** What is asked for, for the line on which it is typed. */
export function promptFor(field: Field): string {
  const { type, choices, isMultiple, isOpen, isRequired, initial } = field;
  const ways = [
    ...(type === 'boolean' ? ['y or n'] : []),
    ...(choices.length > 0 ? [`${numbersOf(field)}${isMultiple ? ', several with commas' : ''}`] : []),
    ...(choices.length > 0 && isOpen ? ['or your own words'] : []),
    ...(initial === '' ? (isRequired ? [] : ['Enter leaves it out']) : [`Enter takes ${initial}`]),
  ];
  return `Your answer${ways.length > 0 ? ` (${ways.join(', ')})` : ''}: `;
}

type Taken = { chosen: string } | { own: string } | { problem: string };

function takeChoice(part: string, field: Field): Taken {
  const { choices, isOpen } = field;
  const named = choices.find(({ label }) => label.toLowerCase() === part.toLowerCase());
  if (named) return { chosen: named.label };
  if (!/^\d+$/.test(part)) return { own: part };
  const numbered = choices[Number(part) - 1];
  if (numbered) return { chosen: numbered.label };
  return { problem: `There is no ${part}: choose ${numbersOf(field)}${isOpen ? ', or say it in words' : ''}.` };
}

function numbersOf({ choices }: Field): string {
  return choices.length === 1 ? '1' : `1 to ${choices.length}`;
}

function readYesNo(word: string): Read {
  if (/^(y|yes|true|1)$/i.test(word)) return { value: true };
  if (/^(n|no|false|0)$/i.test(word)) return { value: false };
  return { problem: 'Say y or n.' };
}

function nameOf({ title, header }: Field): string {
  return `"${header ?? title}"`;
}
