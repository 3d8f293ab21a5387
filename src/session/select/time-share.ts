/** Where the time of a session went: added up by what it was for. What ran side by side counts each. */
import type { Span } from './timeline.js';

export interface TimeShare {
  kind: Exclude<Span['kind'], 'turn'>;
  /** The tool; empty for what is none. */
  name: string;
  ms: number;
  count: number;
}

/** The longest first. The call of a sub-agent is told by what that did. `now` ends what goes on. */
export function timeSharesOf(spans: readonly Span[], now: number): TimeShare[] {
  const shares = new Map<string, TimeShare>();
  for (const { kind, name = '', child, startMs, endMs = now } of spans) {
    if (kind === 'turn' || child !== undefined) continue;
    const of = kind === 'tool' || kind === 'task' ? name : '';
    const share = shares.get(`${kind} ${of}`) ?? { kind, name: of, ms: 0, count: 0 };
    share.ms += Math.max(0, endMs - startMs);
    share.count += 1;
    shares.set(`${kind} ${of}`, share);
  }
  return [...shares.values()].sort((one, other) => other.ms - one.ms);
}

/** What it is called, everywhere. */
export function timeShareName({ kind, name }: Pick<TimeShare, 'kind' | 'name'>): string {
  if (kind === 'tool') return name;
  if (kind === 'task') return `${name || 'Background work'} (in the background)`;
  return { model: 'Model', waiting: 'Waiting for somebody', retry: 'Retries', compaction: 'Compaction' }[kind];
}
