/** Moments as people write and read them. */

const DAY_MS = 86_400_000;
const SPANS: Readonly<Record<string, number>> = { h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };

/** `2026-01-31`, `2026-01-31T10:00`, `today`, `yesterday`, `24h`, `7d`, `4w`; days begin at midnight here. */
export function parseMoment(text: string, now = Date.now()): number {
  const [, count, unit = ''] = /^(\d+)([hdw])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (SPANS[unit] ?? 0);
  if (text === 'today') return midnight(now);
  if (text === 'yesterday') return midnight(midnight(now) - 1);
  const moment = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text);
  if (!/^\d{4}-/.test(text) || Number.isNaN(moment)) {
    throw new SyntaxError(`Write a day as 2026-01-31, today or yesterday, or a time ago as 24h, 7d or 4w, not ${text}`);
  }
  return moment;
}

/** `now`, `5 min ago`, `3 h ago`, `yesterday`, `4 days ago`, `2026-01-31`. */
export function formatAgo(at: number, now = Date.now()): string {
  const ms = now - at;
  if (ms < 60_000) return 'now';
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ago`;
  if (at >= midnight(now)) return `${Math.floor(ms / 3_600_000)} h ago`;
  if (at >= midnight(midnight(now) - 1)) return 'yesterday';
  const days = Math.round((midnight(now) - midnight(at)) / DAY_MS);
  return days < 7 ? `${days} days ago` : isoDay(at);
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

export function isoDay(at: number): string {
  const day = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
