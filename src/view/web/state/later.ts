/** What somebody put off, as this browser remembers it: for half an hour, or until it is no longer asked. What is asked again was not put off. */
import { atom } from 'nanostores';
import { type Card, namesOf } from './card.js';

/** Until when, by the names of what is put off. */
type PutOff = Readonly<Record<string, number>>;

const LATER_MS = 30 * 60_000;
const KEY = 'later';
const MOST = 200;

/** Only what is put off now. */
export const $putOff = atom<PutOff>({});

let timer: ReturnType<typeof setTimeout> | undefined;

/** Begins with what is remembered, and hears what other pages of this browser put off. */
export function watchPutOff(): void {
  take(read());
  window.addEventListener('storage', ({ key }) => (key === KEY || key === null) && take(read()));
}

export function isPutOff(card: Card, until: PutOff): boolean {
  return namesOf(card).every((name) => until[name] !== undefined);
}

export function putOff(card: Card): void {
  const until = Date.now() + LATER_MS;
  keep({ ...$putOff.get(), ...Object.fromEntries(namesOf(card).map((name) => [name, until])) });
}

export function takeUp(card: Card): void {
  drop(namesOf(card));
}

/** What was asked `before` and is not asked now will be another question if it comes again. */
export function forgetGone(before: readonly Card[], now: readonly Card[]): void {
  const open = new Set(now.flatMap(namesOf));
  drop(before.flatMap(namesOf).filter((name) => !open.has(name)));
}

function drop(names: readonly string[]): void {
  const until = $putOff.get();
  if (!names.some((name) => until[name] !== undefined)) return;
  const gone = new Set(names);
  keep(Object.fromEntries(Object.entries(until).filter(([name]) => !gone.has(name))));
}

function keep(until: PutOff): void {
  take(until);
  try {
    localStorage.setItem(KEY, JSON.stringify($putOff.get()));
  } catch {
    // A browser that keeps nothing, or has no room: it is put off for as long as the page is open.
  }
}

/** What is over falls off now, and the rest at its time. */
function take(until: PutOff): void {
  const now = Date.now();
  const open = Object.entries(until).filter(([, at]) => at > now && at <= now + LATER_MS);
  $putOff.set(Object.fromEntries(open.sort(([, one], [, other]) => other - one).slice(0, MOST)));
  clearTimeout(timer);
  const next = Math.min(...Object.values($putOff.get()));
  if (Number.isFinite(next)) timer = setTimeout(() => take($putOff.get()), next - now);
}

function read(): PutOff {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const pairs = Object.entries(kept ?? {}).filter((pair): pair is [string, number] => typeof pair[1] === 'number');
    return Object.fromEntries(pairs);
  } catch {
    return {};
  }
}
