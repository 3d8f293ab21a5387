/** Tolerant readers of wire values: a wrong type in one field reads as absent and never rejects a line. */

export type Json = Record<string, unknown>;

/** An object with members, and no list. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object, if it is one. */
export const object = (value: unknown): Json | undefined => (isObject(value) ? value : undefined);

/** An empty string reads as absent: agents use it for "none". */
export const string = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A number that can be counted with. */
export const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** The entries of a list; none when it is not one. */
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : NONE);

/** The objects of a list; what is none is left out. */
export const objects = (value: unknown): readonly Json[] => only(list(value), isObject);

/** The strings of a list; absent when there is no list. */
export const strings = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? only(value, isString) : undefined;

const NONE: readonly unknown[] = [];

const isString = (value: unknown): value is string => typeof value === 'string';

/** Nearly every list is what it should be, and then it is its own answer: nothing is copied on the hot path. */
function only<T>(values: readonly unknown[], is: (value: unknown) => value is T): T[] {
  for (const value of values) if (!is(value)) return values.filter(is);
  return values as T[];
}

/** A string as it is, also when it is empty. */
export const anyString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The value that a text holds as JSON; absent when it is only a text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The members of an object; none when it is not one. */
export const members = (value: unknown): Json => (isObject(value) ? value : {});

/** The entry of a table under a name that came over a wire; `constructor` and the like are not entries. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined =>
  name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
