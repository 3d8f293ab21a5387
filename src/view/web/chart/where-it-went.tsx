/** Where the time and the money of a session went, each once. */
import { useMemo } from 'preact/hooks';
import {
  type SessionState,
  type Span,
  type ThreadShare,
  type TimeShare,
  threadName,
  timeShareName,
  timeSharesOf,
} from '../../../session/index.js';
import { counted, duration } from '../../../word/index.js';
import { money } from '../text/format.js';
import { visible } from '../text/visible.js';

interface Props {
  state: SessionState;
  spans: readonly Span[];
  shares: readonly ThreadShare[];
  now: number;
}

const MOST = 6;

export function WhereItWent({ state, spans, shares, now }: Props) {
  const times = useMemo(() => timeSharesOf(spans, now).filter(({ ms }) => ms > 0), [spans, now]);
  const spent = shares.filter((share): share is ThreadShare & { usd: number } => share.usd !== undefined);
  const sorted = [...spent].sort((one, other) => other.usd - one.usd);
  if (times.length === 0 && sorted.length === 0) return null;
  return (
    <details class="went">
      <summary>
        Where the time{sorted.length > 0 && ' and the money'} went: <span class="faint">{firstOf(times)}</span>
      </summary>
      <div class="went-lists">
        {times.length > 0 && (
          <Shares
            title="Time, added up; what ran side by side counts each"
            rows={times.map((share) => ({
              name: timeShareName(share),
              part: share.ms,
              text: `${duration(share.ms)}, ${counted(share.count, 'time')}`,
            }))}
          />
        )}
        {sorted.length > 0 && (
          <Shares
            title="Money, estimated from what the messages tell"
            rows={sorted.map(({ thread, usd }) => ({
              name: threadName(state, thread),
              part: usd,
              text: money({ usd, origin: 'computed' }),
            }))}
          />
        )}
      </div>
    </details>
  );
}

interface ShareRow {
  name: string;
  part: number;
  text: string;
}

function Shares({ title, rows }: { title: string; rows: readonly ShareRow[] }) {
  const most = Math.max(...rows.map(({ part }) => part), Number.MIN_VALUE);
  const shown = rows.slice(0, MOST);
  return (
    <section class="bar-list">
      <h2>{title}</h2>
      <ul>
        {shown.map(({ name, part, text }, index) => (
          <li key={index}>
            <span class="bar-name">{visible(name)}</span>
            <svg class="amount-bar" height="8" width="100%" aria-hidden="true">
              <rect class="bar-value" width={`${(100 * part) / most}%`} height="8" rx="4" />
            </svg>
            <span class="amount">{text}</span>
          </li>
        ))}
      </ul>
      {rows.length > MOST && <p class="faint">and {rows.length - MOST} more</p>}
    </section>
  );
}

function firstOf(times: readonly TimeShare[]): string {
  const whole = times.reduce((sum, { ms }) => sum + ms, 0);
  return times
    .slice(0, 3)
    .map((share) => `${visible(timeShareName(share))} ${Math.round((100 * share.ms) / whole)} %`)
    .join(' · ');
}
