/** Numbers, times and paths as people read them. */
import type { CostOrigin } from '../../../event/index.js';

interface Money {
  usd: number;
  origin: CostOrigin;
}

/** `≥` when at least this much was spent, `~` when we computed it. Nothing when it is unknown. */
export function money(figure: Money | undefined): string {
  if (figure === undefined) return '';
  const { usd, origin } = figure;
  const sign = origin === 'lower-bound' ? '≥ ' : origin === 'computed' ? '~' : '';
  return `${sign}$${usd.toFixed(usd !== 0 && usd < 0.1 ? 4 : 2)}`;
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(1))} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
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

export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString()} ${number === 1 ? noun : plural}`;
}

/** `12.3k`, for token counts. */
export function compact(number: number): string {
  return number < 1000 ? String(number) : `${(number / 1000).toFixed(number < 10_000 ? 1 : 0)}k`;
}

/** A path inside the project as people write it; any other one stays whole. */
export function pathWithin(path: string, project: string | undefined): string {
  if (project === undefined || !path.startsWith(project)) return path;
  const rest = path.slice(project.length);
  return /^[\\/]./.test(rest) ? rest.slice(1) : path;
}

/** The last part of a directory: what people call a project. */
export function projectName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}
