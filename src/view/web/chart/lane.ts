/** Puts spans of time into as few lanes as needed, so that no two of a lane overlap; turns have lanes of their own on top. */
import type { Span } from '../../../session/index.js';

export const LANE_HEIGHT = 22;

export interface Bar {
  span: Span;
  lane: number;
  fromMs: number;
  lastMs: number;
}

export interface Layout {
  bars: Bar[];
  lanes: number;
  startMs: number;
  endMs: number;
}

/** More would be a wall of lines; what does not fit shares the last lane. */
const MOST_LANES = 24;

/** `now` ends what still goes on. Spans come in the order of their beginnings. */
export function layOut(spans: readonly Span[], now: number): Layout {
  const startMs = spans[0]?.startMs ?? 0;
  const bars: Bar[] = [];
  let top = 0;
  let endMs = startMs;
  for (const group of [spans.filter(({ kind }) => kind === 'turn'), spans.filter(({ kind }) => kind !== 'turn')]) {
    const freeFrom: number[] = [];
    for (const span of group) {
      const fromMs = span.startMs;
      const lastMs = Math.max(fromMs, span.endMs ?? now);
      const found = freeFrom.findIndex((free) => free <= fromMs);
      const lane = found >= 0 ? found : Math.min(freeFrom.length, MOST_LANES - 1);
      freeFrom[lane] = Math.max(lastMs, freeFrom[lane] ?? 0);
      endMs = Math.max(endMs, lastMs);
      bars.push({ span, lane: top + lane, fromMs, lastMs });
    }
    top += freeFrom.length;
  }
  return { bars, lanes: top, startMs, endMs };
}

const STEPS_MS = [1, 10, 100, 1000, 5000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 21_600_000, 86_400_000];

/** Times to write at the top: about eight per screen. */
export function ticksOf(wholeMs: number, zoom: number): number[] {
  const wanted = wholeMs / zoom / 8;
  const step = STEPS_MS.find((one) => one >= wanted) ?? wanted;
  return Array.from({ length: Math.min(2000, Math.floor(wholeMs / step) + 1) }, (_, index) => index * step);
}
