/** Days, weeks and months in a row, also those in which nothing happened: a picture over time must not leave any out. */

export const UNITS = ['day', 'week', 'month'] as const;

export type Unit = (typeof UNITS)[number];

/** From the first to the last, at most so many, and at least so many before the last. */
export function periodsUntil(keys: readonly string[], unit: Unit, { fewest, most }: { fewest: number; most: number }) {
  const last = keys.at(-1) ?? '';
  const first = keys[0] ?? last;
  const periods = [last];
  while (periods.length < most && (periods.length < fewest || (periods[0] ?? '') > first)) {
    periods.unshift(before(periods[0] ?? '', unit));
  }
  return periods;
}

/** The days with which it begins and after which it has ended, as `since` and `until` take them. */
export function boundsOf(key: string, unit: Unit): { since: string; until: string } {
  const day = unit === 'month' ? `${key}-01` : key;
  return { since: day, until: shifted(day, unit, 1) };
}

/** `Nov 6`, `Nov 2 – 8`, `November`; the year only where it is not the one of `near`. */
export function periodText(key: string, unit: Unit, near: string): string {
  const year = key.slice(0, 4) === near.slice(0, 4) ? undefined : ('numeric' as const);
  const say = (day: string, parts: Intl.DateTimeFormatOptions) =>
    new Date(timeOf(day)).toLocaleDateString(undefined, { ...parts, timeZone: 'UTC' });
  if (unit === 'month') return say(`${key}-01`, { month: 'long', year });
  const first = say(key, { month: 'short', day: 'numeric', year });
  if (unit === 'day') return first;
  const sunday = shifted(key, 'day', 6);
  const isSame = sunday.slice(0, 7) === key.slice(0, 7);
  return `${first} – ${say(sunday, isSame ? { day: 'numeric' } : { month: 'short', day: 'numeric' })}`;
}

function before(key: string, unit: Unit): string {
  const day = shifted(unit === 'month' ? `${key}-01` : key, unit, -1);
  return unit === 'month' ? day.slice(0, 7) : day;
}

function shifted(day: string, unit: Unit, count: number): string {
  const date = new Date(timeOf(day));
  if (unit === 'month') date.setUTCMonth(date.getUTCMonth() + count);
  else date.setUTCDate(date.getUTCDate() + count * (unit === 'week' ? 7 : 1));
  return date.toISOString().slice(0, 10);
}

function timeOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
