/** Days in a row, also those on which nothing happened: a picture over time must not leave any out. */

export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let at = timeOf(first); at <= timeOf(last); at += DAY_MS) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

export function daysBefore(day: string, count: number): string {
  return new Date(timeOf(day) - count * DAY_MS).toISOString().slice(0, 10);
}

/** `Nov 6`; the year only where it is not the one of `near`. */
export function dayText(day: string, near: string): string {
  const year = day.slice(0, 4) === near.slice(0, 4) ? undefined : 'numeric';
  return new Date(timeOf(day)).toLocaleDateString(undefined, { month: 'short', day: 'numeric', year, timeZone: 'UTC' });
}

const DAY_MS = 86_400_000;

function timeOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
