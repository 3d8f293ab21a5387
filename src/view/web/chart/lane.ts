/** Puts spans of time into as few lanes as needed, so that no two of a lane overlap: turns on top, then each conversation below the one that began it. */
import type { Span } from '../../../session/index.js';
import { duration } from '../../../word/index.js';

export interface Bar {
  span: Span;
  lane: number;
  fromMs: number;
  lastMs: number;
}

/** The lanes of one conversation. */
export interface Section {
  thread: number;
  depth: number;
  /** Of its title; absent where there is only one conversation. */
  headLane?: number;
  isFolded: boolean;
}

export interface Layout {
  /** From the start of the session. */
  bars: Bar[];
  sections: Section[];
  lanes: number;
  wholeMs: number;
}

export interface Place {
  thread: number;
  depth: number;
  isFolded: boolean;
}

/** More would be a wall of lines; what does not fit shares the last lane. */
const MOST_LANES = 24;

const ALONE: readonly Place[] = [{ thread: 0, depth: 0, isFolded: false }];

/** `now` ends what still goes on. Spans come in the order of their beginnings, conversations in the order in which they stand. */
export function layOut(spans: readonly Span[], now: number, places: readonly Place[] = ALONE): Layout {
  const startMs = spans[0]?.startMs ?? 0;
  const layout: Layout = { bars: [], sections: [], lanes: 0, wholeMs: 0 };
  const put = (group: readonly Span[]) => {
    const freeFrom: number[] = [];
    for (const span of group) {
      const fromMs = span.startMs - startMs;
      const lastMs = Math.max(fromMs, (span.endMs ?? now) - startMs);
      const found = freeFrom.findIndex((free) => free <= fromMs);
      const lane = found >= 0 ? found : Math.min(freeFrom.length, MOST_LANES - 1);
      freeFrom[lane] = Math.max(lastMs, freeFrom[lane] ?? 0);
      layout.wholeMs = Math.max(layout.wholeMs, lastMs);
      layout.bars.push({ span, lane: layout.lanes + lane, fromMs, lastMs });
    }
    layout.lanes += freeFrom.length;
  };
  const byThread = new Map<number, Span[]>();
  for (const span of spans) {
    if (span.kind === 'turn') continue;
    const list = byThread.get(span.thread);
    if (list) list.push(span);
    else byThread.set(span.thread, [span]);
  }
  put(spans.filter(({ kind }) => kind === 'turn'));
  for (const { thread, depth, isFolded } of places) {
    const headLane = places.length > 1 ? layout.lanes : undefined;
    if (headLane !== undefined) layout.lanes += 1;
    layout.sections.push({ thread, depth, isFolded, ...(headLane !== undefined && { headLane }) });
    if (!isFolded) put(byThread.get(thread) ?? []);
  }
  return layout;
}

/** What is to be drawn at one place of a lane. */
export interface Mark {
  /** Several where they are too small to be told apart. */
  bars: [Bar, ...Bar[]];
  isSmall: boolean;
  lane: number;
  left: number;
  right: number;
}

const THINNEST_PX = 3;
/** Small ones are one as far as this, so that a picture of many shows where there was much of what. */
const MOST_MERGED_PX = 6;

/** The part from `fromPx` to `toPx`; however many bars there are, no more marks than fit there. What is large enough stands for itself. */
export function marksBetween(bars: readonly Bar[], pxPerMs: number, fromPx: number, toPx: number): Mark[] {
  const marks: Mark[] = [];
  const newest: Mark[] = [];
  for (const bar of bars) {
    const left = bar.fromMs * pxPerMs;
    const right = Math.max(left + THINNEST_PX, bar.lastMs * pxPerMs);
    if (right < fromPx || left > toPx) continue;
    const isSmall = right - left <= THINNEST_PX;
    const before = newest[bar.lane];
    if (before?.isSmall && isSmall && left < before.right && left < before.left + MOST_MERGED_PX) {
      before.bars.push(bar);
      before.right = Math.max(before.right, right);
      continue;
    }
    // It was drawn wider than it is, and makes room.
    if (before) before.right = Math.max(before.left + 1, Math.min(before.right, left));
    const mark: Mark = { bars: [bar], isSmall, lane: bar.lane, left, right };
    newest[bar.lane] = mark;
    marks.push(mark);
  }
  return marks;
}

const STEPS_MS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000],
  ...[1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000],
];
const TICK_PX = 90;

/** Times to write at the top of the part that is seen. */
export function ticksBetween(pxPerMs: number, fromPx: number, toPx: number): number[] {
  const wanted = TICK_PX / pxPerMs;
  const step = STEPS_MS.find((one) => one >= wanted) ?? Math.ceil(wanted / 86_400_000) * 86_400_000;
  const first = Math.ceil(fromPx / pxPerMs / step);
  const last = Math.floor(toPx / pxPerMs / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
}

/** Exact, as neighbours would look the same otherwise; without what is nothing of it: 150 ms, 1.05 s, 10m, 1h30m. */
export function timeText(ms: number): string {
  if (ms < 1000) return ms === 0 ? '0' : `${ms} ms`;
  const part = String((ms % 1000) / 1000).slice(1);
  return duration(ms - (ms % 1000))
    .replace(/(?= ?s$)/, part)
    .replace(/(?<=[hm])0[ms]$/, '');
}
