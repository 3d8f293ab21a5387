/** Adds up the tokens of several model calls; a count that nobody told stays unknown. */
import type { Usage } from '../event/index.js';

export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (!a || !b) return a ?? b;
  const total: Usage = { ...a };
  for (const [name, count] of Object.entries(b) as [keyof Usage, number | undefined][]) {
    if (count !== undefined) total[name] = (total[name] ?? 0) + count;
  }
  return total;
}
