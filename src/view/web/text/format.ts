/** Numbers, times and paths as people read them. */
import { type Figure, tellMoney } from '../../../ledger/index.js';

/** Nothing when it is unknown. */
export function money(figure: Pick<Figure, 'usd' | 'origin'> | undefined): string {
  return figure ? tellMoney(figure) : '';
}

/** How long ago, in one word; older than a week by its date. */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 60) return 'now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  if (seconds < 604_800) return `${Math.floor(seconds / 86_400)} d`;
  return new Date(at).toLocaleDateString(undefined, { month: 'short', day: 'numeric' });
}

/** The last part of a directory: what people call a project. */
export function projectName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}
