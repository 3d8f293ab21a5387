/** Small guards for data from files: each gives back a typed value or notes what is wrong with it, and where. */
import { instead } from '../../event/option.js';

/** `where` names the value for people: `rules[2].path`. */
export type Check<Type> = (value: unknown, where: string, problems: string[]) => Type | undefined;

export const text: Check<string> = (value, where, problems) =>
  typeof value === 'string' && value !== '' ? value : wrong(where, 'a text', problems);

export const flag: Check<boolean> = (value, where, problems) =>
  typeof value === 'boolean' ? value : wrong(where, 'true or false', problems);

export const amount: Check<number> = (value, where, problems) =>
  typeof value === 'number' && value > 0 ? value : wrong(where, 'a number above 0', problems);

export const duration: Check<number> = (value, where, problems) =>
  typeof value === 'number' && value >= 0 && value < 2 ** 31
    ? value
    : wrong(where, 'a number of milliseconds', problems);

export function oneOf<const Type>(choices: readonly Type[]): Check<Type> {
  return (value, where, problems) =>
    choices.find((choice) => choice === value) ?? wrong(where, `one of ${choices.join(', ')}`, problems);
}

export function either<A, B>(first: Check<A>, second: Check<B>): Check<A | B> {
  return (value, where, problems) => {
    const found = first(value, where, []);
    return found === undefined ? second(value, where, problems) : found;
  };
}

export function list<Type>(check: Check<Type>): Check<Type[]> {
  return (value, where, problems) => {
    if (!Array.isArray(value)) return wrong(where, 'a list', problems);
    return value
      .map((item, index) => check(item, `${where}[${index}]`, problems))
      .filter((item): item is NonNullable<typeof item> => item !== undefined);
  };
}

/** Any names, one kind of value. */
export function map<Type>(check: Check<Type>): Check<Record<string, Type>> {
  return (value, where, problems) => {
    if (!isObject(value)) return wrong(where, 'an object', problems);
    const found: [string, Type][] = [];
    for (const [name, part] of Object.entries(value)) {
      const checked = check(part, below(where, name), problems);
      if (checked !== undefined) found.push([name, checked]);
    }
    return Object.fromEntries(found);
  };
}

type Fields<Type> = { [Name in keyof Type]-?: Check<NonNullable<Type[Name]>> };

/** Known names only, because an unknown one is nearly always a slip of the pen. `needed` must be there. */
export function shape<Type extends object>(fields: Fields<Type>, needed: readonly (keyof Type)[] = []): Check<Type> {
  const checks = new Map<string, Check<unknown>>(Object.entries(fields));
  return (value, where, problems) => {
    if (!isObject(value)) return wrong(where, 'an object', problems);
    const found: Partial<Type> = {};
    for (const [name, part] of Object.entries(value)) {
      const check = checks.get(name);
      if (!check)
        problems.push(`${below(where, name)} is not known; ${instead(name, [...checks.keys()], 'there are')}`);
      const checked = check?.(part, below(where, name), problems);
      if (checked !== undefined) Object.assign(found, { [name]: checked });
    }
    const missing = needed.filter((name) => found[name] === undefined);
    if (missing.length > 0) return wrong(where, `an object with ${missing.join(', ')}`, problems);
    return found as Type;
  };
}

function wrong(where: string, expected: string, problems: string[]): undefined {
  problems.push(`${where || 'the whole'} must be ${expected}`);
  return undefined;
}

function below(where: string, name: string): string {
  return where ? `${where}.${name}` : name;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
