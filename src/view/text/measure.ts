/** Figures as people read them: durations, token counts, money. */
import type { Cost, Usage } from '../../event/index.js';
import { wordOf } from './safe.js';

/** `0.5 s`, `35 s`, `6m7s`, `2h5m`. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return '?';
  if (ms < 9950) return `${Number((ms / 1000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${seconds % 60}s`;
  return `${Math.floor(minutes / 60)}h${minutes % 60}m`;
}

/** `950`, `45K`, `1.2M`. */
export function count(value: number): string {
  if (!Number.isFinite(value)) return '?';
  if (value < 1000) return String(value);
  const [scaled, unit] = value < 999_500 ? [value / 1000, 'K'] : [value / 1_000_000, 'M'];
  return `${scaled < 9.95 ? Number(scaled.toFixed(1)) : Math.round(scaled)}${unit}`;
}

/** S1-32: four decimals, and a word where the figure is not what the agent itself reported. */
export function money(usd: number, origin: Cost['origin'] = 'reported'): string {
  if (!Number.isFinite(usd)) return 'unknown';
  return `${wordOf({ computed: 'about ', 'lower-bound': 'at least ' }, origin)}$${usd.toFixed(4)}`;
}

/** `1.2M in (850K cached) / 45K out`; the input counts what came from the cache, as people expect. */
export function tokens(usage: Usage): string | undefined {
  const [fresh, read, written, output] = [
    usage.inputTokens,
    usage.cacheReadTokens,
    usage.cacheWriteTokens,
    usage.outputTokens,
  ].map((value) => (typeof value === 'number' ? value : undefined));
  if (fresh === undefined && output === undefined) return undefined;
  const input = (fresh ?? 0) + (read ?? 0) + (written ?? 0);
  const cached = read ? ` (${count(read)} cached)` : '';
  return `${count(input)} in${cached} / ${count(output ?? 0)} out`;
}
