/** Where the time of a session went: added up by what it was for. What ran side by side counts each. */
import type { Span } from './timeline.js';

export interface TimeShare {
  kind: Exclude<Span['kind'], 'turn'>;
  /** The tool; empty for what is none. */
  name: string;
  ms: number;
  count: number;
}

/** The longest first. The call of a sub-agent is told by what that did; as long as somebody was waited for, a call did nothing. `now` ends what goes on. */
export function timeSharesOf(spans: readonly Span[], now: number): TimeShare[] {
  const shares = new Map<string, TimeShare>();
  const waits = new Map<string | undefined, Span[]>();
  for (const span of spans) if (span.kind === 'waiting') waits.set(span.row, [...(waits.get(span.row) ?? []), span]);
  for (const { kind, name = '', child, startMs, endMs = now, row } of spans) {
    if (kind === 'turn' || child !== undefined) continue;
    const waited = kind === 'tool' ? (waits.get(row) ?? []).map((wait) => overlap(wait, { startMs, endMs }, now)) : [];
    const of = kind === 'tool' || kind === 'task' ? name : '';
    const share = shares.get(`${kind} ${of}`) ?? { kind, name: of, ms: 0, count: 0 };
    share.ms += Math.max(0, endMs - startMs - waited.reduce((sum, ms) => sum + ms, 0));
    share.count += 1;
    shares.set(`${kind} ${of}`, share);
  }
  return [...shares.values()].sort((one, other) => other.ms - one.ms);
}

function overlap({ startMs, endMs }: Span, call: { startMs: number; endMs: number }, now: number): number {
  return Math.max(0, Math.min(endMs ?? now, call.endMs) - Math.max(startMs, call.startMs));
}

/** What it is called, everywhere. */
export function timeShareName({ kind, name }: Pick<TimeShare, 'kind' | 'name'>): string {
  if (kind === 'tool') return name;
  if (kind === 'task') return `${name || 'Background work'} (in the background)`;
  return { model: 'Model', waiting: 'Waiting for somebody', retry: 'Retries', compaction: 'Compaction' }[kind];
}
