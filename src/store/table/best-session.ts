/** Events that a search found, ranked, become sessions, each with its best few. */
import { GlassboxError } from '../../event/index.js';
import type { Row } from './row.js';

export interface RankedEvent {
  /** Its run's number. */
  run: number;
  seq: number;
  /** The lower the better. */
  score: number;
}

export interface Candidate {
  session: number;
  updatedAt: number;
  /** Best first, no more than are shown. */
  best: RankedEvent[];
  events: number;
}

const PAGE = 20;
const HITS = 3;

/** The part of the candidates that is asked for, and the cursor of the next. */
export function pageOf(
  candidates: readonly Candidate[],
  { cursor = '0', limit = PAGE }: { cursor?: string | undefined; limit?: number | undefined },
): { page: Candidate[]; next?: string } {
  if (!/^\d+$/.test(cursor)) throw new GlassboxError('invalid-request', 'This is no cursor of an earlier page.');
  const start = Number(cursor);
  const end = start + limit;
  return { page: candidates.slice(start, end), ...(end < candidates.length && { next: String(end) }) };
}

/** `rows`: `no`, `session` and `updated_at` of the runs. */
export function bySession(
  found: RunsFound,
  rows: readonly Row[],
  order: 'relevance' | 'newest' = 'relevance',
): Candidate[] {
  const candidates = new Map<number, Candidate>();
  for (const row of rows) {
    const [session, updatedAt] = [Number(row.session), Number(row.updated_at)];
    const run = found.get(Number(row.no));
    const known = candidates.get(session);
    if (!run) continue;
    if (known) for (const event of known.best) keepBest(run.best, event);
    candidates.set(session, {
      session,
      updatedAt: Math.max(known?.updatedAt ?? 0, updatedAt),
      best: run.best,
      events: run.events + (known?.events ?? 0),
    });
  }
  return [...candidates.values()].sort(order === 'newest' ? byTime : byScore);
}

export type RunsFound = Map<number, Pick<Candidate, 'best' | 'events'>>;

export function byRun(ranked: readonly RankedEvent[]): RunsFound {
  const runs: RunsFound = new Map();
  for (const event of ranked) {
    const found = runs.get(event.run) ?? { best: [], events: 0 };
    if (found.events === 0) runs.set(event.run, found);
    found.events += 1;
    keepBest(found.best, event);
  }
  return runs;
}

function keepBest(best: RankedEvent[], event: RankedEvent): void {
  const place = best.findIndex((other) => event.score < other.score);
  if (place >= 0) best.splice(place, 0, event);
  else if (best.length < HITS) best.push(event);
  if (best.length > HITS) best.pop();
}

const byTime = (a: Candidate, b: Candidate) => b.updatedAt - a.updatedAt || b.session - a.session;
const byScore = (a: Candidate, b: Candidate) => (a.best[0]?.score ?? 0) - (b.best[0]?.score ?? 0) || byTime(a, b);
