/** Recorded lines with one mistake in them, and what is told differently because of it. */
import { createHash } from 'node:crypto';
import { isObject, type Json } from '../../src/agent/field.js';

/** A value as an agent printed it or left it on disk, there with the part of the conversation that it belongs to. */
export interface Told {
  value: unknown;
  part?: string | undefined;
}

export interface Source {
  values: readonly Told[];
  /** What becomes of such values, each as one line of JSON. */
  tell(values: readonly Told[]): string[];
}

/** Of a longer source the beginning: all of it is read again for each mistake. */
const LONGEST = 80;

/** A line for every mistake that changes what is told; each place that lines have is damaged once, in the shortest source that has it. */
export function oddFields(whole: readonly Source[]): string[] {
  const sources = whole.map((source) => ({ ...source, values: source.values.slice(0, LONGEST) }));
  const seen = new Set<string>();
  const isNew = (place: string) => !seen.has(place) && Boolean(seen.add(place));
  const sizes = new Map(sources.map((source) => [source, JSON.stringify(source.values).length]));
  return sources
    .toSorted((a, b) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0))
    .flatMap((source) => linesOf([...mistakesIn(source, isNew)].flatMap((mistake) => consequence(source, mistake))));
}

/** What is told alike of two mistakes in one place is said once. */
function linesOf(all: readonly Consequence[]): string[] {
  const isAgain = (index: number) =>
    all[index - 1]?.where === all[index]?.where && all[index - 1]?.told === all[index]?.told;
  return all.flatMap(({ where, what, told }, index) => {
    if (isAgain(index)) return [];
    const both = isAgain(index + 1) ? `${what} or ${all[index + 1]?.what}` : what;
    return [`${where} ${both}: ${told}`];
  });
}

interface Consequence {
  where: string;
  what: string;
  told: string;
}

interface Mistake {
  where: string;
  what: string;
  values: readonly Told[];
}

function* mistakesIn({ values }: Source, isNew: (place: string) => boolean): Generator<Mistake> {
  for (const [index, told] of values.entries()) {
    const kind = [told.part?.replace(/[\w-]{12,}/g, '…'), kindOf(told.value)].filter(Boolean).join(' ');
    const instead = (value: unknown) => values.with(index, { ...told, value });
    if (isNew(kind)) {
      yield { where: kind, what: 'lost', values: values.toSpliced(index, 1) };
      yield { where: kind, what: 'twice', values: values.toSpliced(index, 0, told) };
      yield { where: kind, what: 'last', values: values.slice(0, index + 1) };
    }
    for (const { path, name, value } of placesIn(told.value)) {
      if (!isNew(`${kind} ${name}`)) continue;
      const where = `${kind} ${name}`;
      yield { where, what: 'absent', values: instead(changed(told.value, path)) };
      yield { where, what: 'odd', values: instead(changed(told.value, path, oddFor(value))) };
    }
  }
}

/** The next best that another version might say: another word, no number, the opposite, nothing in it. */
function oddFor(value: unknown): unknown {
  if (typeof value === 'string') return 'odd';
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [];
  return value === null ? 'odd' : {};
}

interface Place {
  path: string[];
  name: string;
  value: unknown;
}

const DEEPEST = 5;

function* placesIn(value: unknown, path: string[] = [], name = ''): Generator<Place> {
  if (typeof value !== 'object' || value === null || path.length > DEEPEST) return;
  for (const [key, inner] of Object.entries(value)) {
    const kind = Array.isArray(value) ? `[${kindOf(inner)}]` : `.${key}`;
    const there = `${name}${kind}`;
    yield { path: [...path, key], name: there, value: inner };
    yield* placesIn(inner, [...path, key], there);
  }
}

function kindOf(value: unknown): string {
  if (!isObject(value)) return '';
  const { type, subtype, method, sessionUpdate, role } = value;
  const payload = isObject(value.payload) ? value.payload.type : undefined;
  return [type ?? method ?? sessionUpdate ?? role, subtype, payload]
    .filter((word) => typeof word === 'string')
    .join('/');
}

function changed(value: unknown, [key, ...rest]: string[], odd?: unknown): unknown {
  if (key === undefined) return odd;
  if (Array.isArray(value)) {
    const index = Number(key);
    return rest.length === 0 && odd === undefined
      ? value.toSpliced(index, 1)
      : value.with(index, changed(value[index], rest, odd));
  }
  const { [key]: old, ...others } = value as Json;
  const inner = changed(old, rest, odd);
  // In its old place among the others.
  return inner === undefined ? others : { ...(value as Json), [key]: inner };
}

const wholes = new WeakMap<Source, string[]>();

function consequence(source: Source, { where, what, values }: Mistake): Consequence[] {
  const whole = wholes.get(source) ?? source.tell(source.values);
  wholes.set(source, whole);
  const other = source.tell(values);
  let from = 0;
  while (from < whole.length && whole[from] === other[from]) from += 1;
  let end = 0;
  const shorter = Math.min(whole.length, other.length) - from;
  while (end < shorter && whole.at(-1 - end) === other.at(-1 - end)) end += 1;
  const gone = whole.slice(from, whole.length - end);
  const come = other.slice(from, other.length - end);
  if (gone.length + come.length === 0) return [];
  return [{ where, what, told: `${difference(gone, come)} ${digest([...gone, '', ...come])}` }];
}

const digest = (lines: readonly string[]) => createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 8);

const SHOWN = 160;

/** As a person can take it in; the digest beside it has the rest. */
function difference(gone: readonly string[], come: readonly string[]): string {
  const shown = gone.length === come.length ? gone.flatMap((line, index) => fieldsOf(line, come[index] ?? '')) : [];
  const types = (sign: string, lines: readonly string[]) => lines.map((line) => `${sign}${draftOf(line).type}`);
  const text = (shown.length > 0 ? shown : [...types('-', gone), ...types('+', come)]).join(' ');
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function fieldsOf(before: string, after: string): string[] {
  const [old, now] = [draftOf(before), draftOf(after)];
  if (old.type !== now.type) return [`-${old.type} +${now.type}`];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]))
    .map((key) => `${old.type}.${key}=${JSON.stringify(now[key])}`);
}

function draftOf(line: string): Json {
  const told = JSON.parse(line) as Json;
  return isObject(told.draft) ? { ...told.draft, at: told.at } : told;
}
