/** What a reader made of a stream, judged: every good line delivered, in order and once, and nothing that nobody wrote. */
import { createHash } from 'node:crypto';
import type { Report } from './attempt.js';
import type { Stream } from './case.js';

export type Verdict = 'passed' | 'lost' | 'wrong' | 'died' | 'hung';

export interface Score {
  verdict: Verdict;
  /** Good lines that there were, and how many of them did not come. */
  lines: number;
  lost: number;
  /** Bad lines that the reader spoke of; nobody has to. */
  errors: number;
  /** For people; absent when it passed. */
  reason?: string;
}

/** `keeps`: types of lines that the reader answers itself. A reader may add fields to what it delivers. */
export function scoreReport({ items, errors, end, why }: Report, stream: Stream, keeps: readonly string[] = []): Score {
  const asked = stream.good.filter((value) => !isKept(value, keeps));
  const good = asked.map(fingerprint);
  const allowed = new Set([...stream.good, ...(stream.allowed ?? [])].map(fingerprint));
  const found = new Set(items.map(fingerprint));
  const missing = asked.filter((_, at) => !found.has(good[at] ?? ''));
  const known = items.map((item) => {
    const print = fingerprint(item);
    return allowed.has(print) ? print : fingerprint(missing.find((value) => contains(item, value)) ?? STRANGE);
  });
  const wanted = new Set(good);
  const delivered = known.filter((print) => wanted.has(print));
  const lost = surplus(good, delivered);
  const doubled = surplus(delivered, good);
  const invented = known.filter((print) => !allowed.has(print)).length;
  const inOrder = lost + doubled > 0 || delivered.every((print, at) => print === good[at]);
  const reasons = [
    ...(why === undefined ? [] : [why]),
    ...(lost > 0 ? [`${lost} of ${good.length} good lines did not come`] : []),
    ...(invented > 0 ? [`${invented} came that nobody wrote`] : []),
    ...(doubled > 0 ? [`${doubled} came twice`] : []),
    ...(inOrder ? [] : ['they came in another order']),
  ];
  const verdict = end !== 'read' ? end : lost > 0 ? 'lost' : reasons.length > 0 ? 'wrong' : 'passed';
  const score: Score = { verdict, lines: good.length, lost, errors };
  return verdict === 'passed' ? score : { ...score, reason: reasons.join('; ') };
}

/** No line of any stream. */
const STRANGE = 'a value that nobody wrote';

function isKept(value: unknown, keeps: readonly string[]): boolean {
  return isObject(value) && keeps.includes(String(value.type));
}

/** Everything that is in `value` is in `item` too. */
function contains(item: unknown, value: unknown): boolean {
  if (Array.isArray(value)) {
    return Array.isArray(item) && item.length === value.length && value.every((part, at) => contains(item[at], part));
  }
  if (!isObject(value)) return item === value;
  return isObject(item) && Object.entries(value).every(([key, part]) => contains(item[key], part));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How many of `these` are more than there are in `those`. */
function surplus(these: readonly string[], those: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const each of those) counts.set(each, (counts.get(each) ?? 0) + 1);
  return these.filter((each) => {
    const left = counts.get(each) ?? 0;
    counts.set(each, left - 1);
    return left <= 0;
  }).length;
}

/** The same for the same JSON value, in whichever order its keys are printed; short however long the value is. */
function fingerprint(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value, sorted) ?? '')
    .digest('base64');
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
