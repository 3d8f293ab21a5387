/** A session over time: what ran when, what waited, what was tried again. Zoomed with buttons, keys and the wheel. */
import { ZoomIn, ZoomOut } from 'lucide-preact';
import { useMemo, useState } from 'preact/hooks';
import { type SessionState, selectTimeline } from '../../../session/index.js';
import { Notice } from '../component/notice.js';
import { useNow } from '../state/use-now.js';
import { duration } from '../text/format.js';
import { visible } from '../text/visible.js';
import { LANE_HEIGHT, layOut, ticksOf } from './lane.js';

const KINDS = {
  turn: 'Turn',
  tool: 'Tool',
  task: 'Background',
  waiting: 'Waiting',
  retry: 'Retry',
  compaction: 'Compaction',
};
const FAILED = ['failed', 'denied', 'crashed'];
const TOP = 24;
const MOST_ZOOM = 200;

export default function Timeline({ state }: { state: SessionState }) {
  const spans = useMemo(() => selectTimeline(state), [state]);
  const isGoing = spans.some(({ endMs }) => endMs === undefined);
  const now = useNow(1000, isGoing);
  const [zoom, setZoom] = useState(1);
  if (spans.length === 0) return <Notice title="Nothing to draw yet" />;

  const { bars, lanes, startMs, endMs } = layOut(spans, now);
  const wholeMs = Math.max(1, endMs - startMs);
  const change = (factor: number) => setZoom((before) => Math.min(MOST_ZOOM, Math.max(1, before * factor)));
  const percent = (ms: number) => `${(100 * ms) / wholeMs}%`;
  return (
    <section class="timeline" aria-label="Timeline">
      <header class="timeline-head">
        <ul class="legend">
          {Object.entries(KINDS).map(([kind, word]) => (
            <li key={kind}>
              <span class={`swatch bar-${kind}`} aria-hidden="true" />
              {word}
            </li>
          ))}
        </ul>
        <span class="faint">{duration(wholeMs)}</span>
        <button
          type="button"
          class="icon-button"
          aria-label="Zoom out"
          disabled={zoom <= 1}
          onClick={() => change(0.5)}
        >
          <ZoomOut size={18} aria-hidden="true" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Zoom in"
          disabled={zoom >= MOST_ZOOM}
          onClick={() => change(2)}
        >
          <ZoomIn size={18} aria-hidden="true" />
        </button>
      </header>
      {/* biome-ignore lint/a11y/useSemanticElements: there is no element for a picture that scrolls and zooms */}
      <div
        class="timeline-frame"
        role="group"
        aria-label="Picture; plus and minus zoom"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.key === '+' || event.key === '=') change(2);
          if (event.key === '-') change(0.5);
        }}
        onWheel={(event) => {
          if (!event.ctrlKey && !event.metaKey) return;
          event.preventDefault();
          change(event.deltaY < 0 ? 1.25 : 0.8);
        }}
      >
        <svg
          width={`${100 * zoom}%`}
          height={TOP + lanes * LANE_HEIGHT + 8}
          role="img"
          aria-label={`${spans.length} things in ${duration(wholeMs)}`}
        >
          {ticksOf(wholeMs, zoom).map((ms) => (
            <g key={ms}>
              <line class="tick" x1={percent(ms)} x2={percent(ms)} y1={0} y2="100%" />
              <text class="tick-text" x={percent(ms)} dx={4} y={14}>
                {ms === 0 ? '0' : duration(ms).replace('.0', '')}
              </text>
            </g>
          ))}
          {bars.map(({ span, lane, fromMs, lastMs }) => (
            <rect
              key={span.key}
              class={`bar-${span.kind} ${FAILED.includes(span.status ?? '') ? 'bar-failed' : ''}`}
              x={percent(fromMs - startMs)}
              y={TOP + lane * LANE_HEIGHT + 3}
              width={percent(Math.max(lastMs - fromMs, wholeMs / 1000 / zoom))}
              height={LANE_HEIGHT - 6}
              rx={3}
            >
              <title>{`${KINDS[span.kind]}: ${visible(span.label)} (${duration(lastMs - fromMs)}${span.status ? `, ${span.status}` : ''})`}</title>
            </rect>
          ))}
        </svg>
      </div>
      <table class="sr-only">
        <caption>The same as a table</caption>
        <tbody>
          {bars.slice(0, 200).map(({ span, fromMs, lastMs }) => (
            <tr key={span.key}>
              <td>{KINDS[span.kind]}</td>
              <td>{visible(span.label)}</td>
              <td>{duration(fromMs - startMs)}</td>
              <td>{duration(lastMs - fromMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
