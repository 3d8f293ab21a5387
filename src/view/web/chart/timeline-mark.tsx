/** What is drawn in the timeline: a bar that leads to its row, or several bars that are too small to be told apart. */
import type { Span } from '../../../session/index.js';
import { counted, duration } from '../../../word/index.js';
import { placePath } from '../state/route.js';
import type { Bar, Mark } from './lane.js';

const KINDS = {
  turn: 'Turn',
  model: 'Model',
  tool: 'Tool',
  task: 'Background',
  waiting: 'Waiting',
  retry: 'Retry',
  compaction: 'Compaction',
};
const FAILED = ['failed', 'denied', 'crashed'];

/** What is narrower has no room for words. */
const LEAST_PX = 36;

interface Props {
  session: string;
  /** Of the mark's first bar, as people read it. */
  label: string;
  mark: Mark;
  onZoom: () => void;
}

export function TimelineMark({ session, label, mark: { bars, lane, left, right }, onZoom }: Props) {
  const [{ span, fromMs, lastMs }, ...others] = bars;
  const style = { left, width: right - left, '--lane': lane };
  if (others.length > 0) {
    const text = `${counted(bars.length, 'step')}, press to zoom in`;
    return (
      <li style={style}>
        <button
          type="button"
          class="bar bar-several"
          style={{ background: shareGradient(bars) }}
          title={text}
          aria-label={text}
          onClick={onZoom}
        />
      </li>
    );
  }
  const facts = [duration(lastMs - fromMs), span.status].filter(Boolean).join(', ');
  const text = `${label === KINDS[span.kind] ? label : `${KINDS[span.kind]}: ${label}`} (${facts})`;
  const look = `bar ${lookOf(span)}`;
  // A letter or two of it would say nothing.
  const words = right - left < LEAST_PX ? '' : label;
  return (
    <li style={style}>
      {span.row === undefined ? (
        <span class={look} title={text}>
          {words}
        </span>
      ) : (
        <a class={look} href={placePath(session, { row: span.row })} title={text} aria-label={text}>
          {words}
        </a>
      )}
    </li>
  );
}

/** Only what occurs. */
export function Legend({ bars }: { bars: readonly Bar[] }) {
  const kinds = new Set(bars.map(({ span }) => span.kind));
  const hasFailed = bars.some(({ span }) => hasGoneWrong(span));
  return (
    <ul class="legend">
      {(Object.keys(KINDS) as Span['kind'][])
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <li key={kind}>
            <span class={`swatch bar-${kind}`} aria-hidden="true" />
            {KINDS[kind]}
          </li>
        ))}
      {hasFailed && (
        <li>
          <span class="swatch bar-failed" aria-hidden="true" />
          Failed
        </li>
      )}
    </ul>
  );
}

/** As high as its share of the time: what is too small to be told apart has no colour of its own. */
function shareGradient(bars: readonly Bar[]): string {
  const shares = new Map<string, number>();
  for (const { span, fromMs, lastMs } of bars)
    shares.set(lookOf(span), (shares.get(lookOf(span)) ?? 0) + Math.max(1, lastMs - fromMs));
  const all = [...shares.values()].reduce((sum, ms) => sum + ms, 0);
  let from = 0;
  const stops = [...shares].sort().map(([look, ms]) => {
    const to = from + (100 * ms) / all;
    const stop = `var(--${look}) ${from.toFixed(1)}% ${to.toFixed(1)}%`;
    from = to;
    return stop;
  });
  return `linear-gradient(to top, ${stops.join(', ')})`;
}

function lookOf(span: Span): string {
  return hasGoneWrong(span) ? 'bar-failed' : `bar-${span.kind}`;
}

/** A turn that failed keeps its look: what is wrong with it is shown inside. */
function hasGoneWrong({ kind, status }: Span): boolean {
  return kind !== 'turn' && FAILED.includes(status ?? '');
}
