/** Durations as people write them: `90s`, `10m`, `1.5h`; a bare number is seconds. */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

export function parseDuration(text: string): number {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  const factor = UNITS[unit];
  if (number === undefined || factor === undefined)
    throw new SyntaxError(`Write a time as 90s, 10m or 1h, not ${text}`);
  return Math.round(Number(number) * factor);
}
