/** The told edits of a file done again, one after the other, to see which lines each of them made. */
import { applyEdit, findPart, readLines } from '../consent/index.js';
import type { Edit } from '../event/index.js';
import { NEW, type Origin, originsOf } from './line-origin.js';
import type { Call, KnownEdit, Maker } from './maker.js';
import { oneOf } from './maker.js';

/** A file with who made each of its lines. */
export interface MadeText {
  /** Absent where there is no such file. */
  text: string | undefined;
  lines: readonly string[];
  makers: readonly Maker[];
  /** For each line of the text that all began with: where it is now, `NEW` when it is gone. */
  roots: readonly number[];
  /** For those that are gone: who took them out. */
  removers: ReadonlyMap<number, Maker>;
}

export function madeText(text: string | undefined, maker: Maker): MadeText {
  const lines = linesOf(text);
  return { text, lines, makers: lines.map(() => maker), roots: lines.map((_, at) => at), removers: new Map() };
}

export function linesOf(text: string | undefined): readonly string[] {
  return text === undefined ? [] : readLines(text).lines;
}

/** What does not fit is left out: then what comes of it is not proved by this. */
export function replay(begin: MadeText, calls: readonly Call[]): MadeText {
  let made = begin;
  for (const call of calls) {
    if (!call.isDone) continue;
    const { isDone: _, edits, goesOn: __, ...ref } = call;
    for (const edit of edits) {
      const done = applied(made.text, edit);
      const isWhole = edit.kind === 'write';
      if (done) made = follow(made, done.text, { by: 'call', call: ref, ...(isWhole && { isWhole }) }, done.same);
    }
  }
  return made;
}

interface Applied {
  text: string | undefined;
  /** So many lines at either end are not touched. */
  same?: { prefix: number; suffix: number };
}

function applied(text: string | undefined, { path, kind, before, after, diff, all }: KnownEdit): Applied | undefined {
  if (kind === 'append') return after === undefined ? undefined : { text: (text ?? '') + after };
  const part = (value: string | undefined) => (value === undefined ? undefined : { text: value });
  const edit: Edit = { path, kind };
  const [old, now, patch] = [part(before), part(after), part(diff)];
  if (old) edit.before = old;
  if (now) edit.after = now;
  if (patch) edit.diff = patch;
  if (all) edit.all = true;
  const done = applyEdit(text, edit, undefined);
  if ('problem' in done) return undefined;
  if (kind !== 'replace' || all || text === undefined || before === undefined || before === '') return done;
  const [place] = findPart(text, before, 1);
  if (place === undefined) return done;
  const rest = text.slice(place + before.length).trimEnd();
  const isWhole = rest !== '' && before.endsWith('\n') && after?.endsWith('\n') === true;
  return { ...done, same: { prefix: breaksIn(text.slice(0, place)), suffix: breaksIn(rest) + (isWhole ? 1 : 0) } };
}

const breaksIn = (text: string): number => text.split('\n').length - 1;

/** `maker`: of the lines that are new, and of what is gone. */
export function follow(
  made: MadeText,
  text: string | undefined,
  maker: Maker,
  same: { prefix: number; suffix: number } = { prefix: 0, suffix: 0 },
): MadeText {
  const lines = linesOf(text);
  const most = Math.min(made.lines.length, lines.length);
  const prefix = Math.min(same.prefix, most);
  const origins = originsOf(made.lines, lines, prefix, Math.min(same.suffix, most - prefix));
  const makerAt = (place: number): Maker => (place === NEW ? maker : (made.makers[place] ?? maker));
  // Lines that read alike share their origin, however many there are.
  const alike = new Map<Origin, Maker>();
  const makers = origins.map((origin) => {
    if (origin.length === 1) return makerAt(origin[0] ?? NEW);
    const known = alike.get(origin) ?? oneOf(origin.map(makerAt));
    alike.set(origin, known);
    return known;
  });
  const places = new Map<number, number>();
  for (const [at, origin] of origins.entries()) {
    if (origin.length > 1 && origin === origins[at - 1]) continue;
    for (const place of origin) if (!places.has(place)) places.set(place, at);
  }
  const removers = new Map(made.removers);
  const roots = made.roots.map((root, at) => {
    if (root === NEW) return NEW;
    const place = places.get(root) ?? NEW;
    if (place === NEW) removers.set(at, maker);
    return place;
  });
  return { text, lines, makers, roots, removers };
}
