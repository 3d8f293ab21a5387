/** Counts as people read them. */
import type { Usage } from '../event/index.js';

/** `950`, `45K`, `1.2M`. */
export function count(value: number): string {
  if (!Number.isFinite(value)) return '?';
  if (value < 1000) return String(value);
  const [scaled, unit] = value < 999_500 ? [value / 1000, 'K'] : [value / 1_000_000, 'M'];
  return `${scaled < 9.95 ? Number(scaled.toFixed(1)) : Math.round(scaled)}${unit}`;
}

/** `1 file`, `1,200 files`. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(value)} ${value === 1 ? noun : plural}`;
}

/** As `toLocaleString('en')` writes whole numbers, without the megabytes of memory that the words of a language take. */
function grouped(value: number): string {
  if (!Number.isInteger(value) || value < 1000) return String(value);
  return `${grouped(Math.floor(value / 1000))},${String(value % 1000).padStart(3, '0')}`;
}

/** `1.2M in (850K cached) / 45K out`; the input counts what came from the cache, as people expect. What nobody counted so far is left out. */
export function tokens(usage: Usage): string | undefined {
  const [fresh, read, written, output] = [
    usage.inputTokens,
    usage.cacheReadTokens,
    usage.cacheWriteTokens,
    usage.outputTokens,
  ].map((value) => (typeof value === 'number' ? value : undefined));
  if (fresh === undefined && output === undefined) return undefined;
  const cached = read ? ` (${count(read)} cached)` : '';
  const parts = [
    fresh === undefined ? [] : `${count(fresh + (read ?? 0) + (written ?? 0))} in${cached}`,
    output === undefined ? [] : `${count(output)} out`,
  ];
  return `${parts.flat().join(' / ')}${usage.lacks ? ' without sub-agents' : ''}`;
}
