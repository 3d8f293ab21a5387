/** A session over time: what ran when, what waited, what was tried again. Zoomed with buttons, keys and the wheel. */
import { useStore } from '@nanostores/preact';
import { ZoomIn, ZoomOut } from 'lucide-preact';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pathWithin } from '../../../consent/index.js';
import { type SessionState, type Span, selectThreadShares, selectTimeline } from '../../../session/index.js';
import { duration } from '../../../word/index.js';
import { Notice } from '../component/part/notice.js';
import { folderOf } from '../state/folder-of.js';
import { $isLive } from '../state/open-session.js';
import { useNow } from '../state/use-now.js';
import { useStage } from '../state/use-stage.js';
import { visible } from '../text/visible.js';
import { layOut, marksBetween, ticksBetween, timeText } from './lane.js';
import { Legend, TimelineMark } from './timeline-mark.js';
import { placesOf, SectionHead } from './timeline-section.js';
import { useWindow } from './use-window.js';
import { WhereItWent } from './where-it-went.js';

const MOST_ZOOM = 4000;
/** Drawn beyond both sides of what is seen, so that scrolling finds it there. */
const MARGIN_PX = 160;
const END_PX = 4;
/** What is worked out one after the other, before all of it is there. */
const STAGES = { spans: 1, shares: 2, layout: 3, all: 4 };
/** As in the style sheet. */
const LANE_PX = 26;

export default function Timeline({ id, state }: { id: string; state: SessionState }) {
  const isLive = useStore($isLive);
  const now = useNow(1000, isLive);
  // A session under way changes all the time; its picture follows once a second.
  const [unfolded, setUnfolded] = useState<ReadonlyMap<number, boolean>>(new Map());
  const drawn = isLive ? now : state;
  const stage = useStage(STAGES.all);
  const spans = useMemo(() => (stage < STAGES.spans ? [] : selectTimeline(state)), [drawn, stage < STAGES.spans]);
  const shares = useMemo(
    () => (stage < STAGES.shares ? [] : selectThreadShares(state)),
    [drawn, stage < STAGES.shares],
  );
  const isLaidOut = stage >= STAGES.layout;
  const { bars, sections, lanes, wholeMs } = useMemo(
    () => layOut(isLaidOut ? spans : [], now, placesOf(shares, unfolded)),
    [spans, shares, unfolded, isLaidOut, isLive && now],
  );
  const frame = useRef<HTMLDivElement>(null);
  const seen = useWindow(frame);
  const [zoom, setZoom] = useState(1);
  const width = seen.width * zoom;
  // What took no time at the very end is still seen.
  const pxPerMs = Math.max(0, width - END_PX) / Math.max(1, wholeMs);
  const held = useRef<number | undefined>();
  const left = held.current ?? seen.left;
  // In steps, so that little is drawn again for every pixel.
  const from = (Math.floor(left / MARGIN_PX) - 1) * MARGIN_PX;
  const to = Math.min(width, from + seen.width + 3 * MARGIN_PX);
  const isInSight = (lane: number) =>
    lane * LANE_PX > seen.top - MARGIN_PX && lane * LANE_PX < seen.top + seen.height + MARGIN_PX;
  const marks = useMemo(() => marksBetween(bars, pxPerMs, from, to), [bars, pxPerMs, from, to]);
  const legend = useMemo(() => <Legend bars={bars} />, [bars]);
  const labelOf = useCallback(
    ({ label, name, run }: Span) => {
      const cwd = folderOf(state, run);
      const about = name !== undefined && label.startsWith(`${name}: `) ? label.slice(name.length + 2) : undefined;
      return visible(about === undefined ? label : `${name}: ${pathWithin(about, cwd)}`);
    },
    [state.runs],
  );

  /** What is at `atPx` of the frame stays there, from the first time on that it is drawn. */
  const change = (factor: number, atPx = seen.width / 2) => {
    const next = Math.min(MOST_ZOOM, Math.max(1, zoom * factor));
    held.current = (seen.left + atPx) * (next / zoom) - atPx;
    setZoom(next);
  };
  useLayoutEffect(() => {
    if (frame.current && held.current !== undefined) frame.current.scrollLeft = held.current;
    held.current = undefined;
  }, [zoom]);

  if (isLaidOut && bars.length === 0) return <Notice title="Nothing to draw yet" />;
  return (
    <section class="timeline" aria-label="Timeline">
      <header class="timeline-head">
        {legend}
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
      {stage >= STAGES.all && <WhereItWent state={state} spans={spans} shares={shares} now={now} />}
      {/* biome-ignore lint/a11y/useSemanticElements: there is no element for a picture that scrolls and zooms */}
      <div
        ref={frame}
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
          const { left } = event.currentTarget.getBoundingClientRect();
          change(event.deltaY < 0 ? 1.25 : 0.8, event.clientX - left);
        }}
      >
        <div class="timeline-picture" style={{ width, '--lanes': lanes }}>
          {ticksBetween(pxPerMs, from, to).map((ms) => (
            <span key={ms} class="tick-line" style={{ left: ms * pxPerMs }} aria-hidden="true">
              {timeText(ms)}
            </span>
          ))}
          <div class="section-heads">
            {sections.flatMap((section) =>
              section.headLane === undefined || !isInSight(section.headLane)
                ? []
                : [
                    <SectionHead
                      key={`head ${section.thread}`}
                      section={section}
                      state={state}
                      session={id}
                      lane={section.headLane}
                      onFold={() => setUnfolded(new Map(unfolded).set(section.thread, section.isFolded))}
                    />,
                  ],
            )}
          </div>
          <ul>
            {marks
              .filter(({ lane }) => isInSight(lane))
              .map((mark) => (
                <TimelineMark
                  key={mark.bars[0].span.key}
                  session={id}
                  label={labelOf(mark.bars[0].span)}
                  mark={mark}
                  onZoom={() => change(seen.width / Math.max(40, 2 * (mark.right - mark.left)), mark.left - seen.left)}
                />
              ))}
          </ul>
        </div>
      </div>
    </section>
  );
}
