/** The newest rows first, and those before them a part at a time: all at once would hold up the page. */
import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { Row } from '../../../session/index.js';
import type { OpenSession } from './open-session.js';

/** So many rows are drawn at once; the next ones are out of sight, or soon will be. */
const FIRST = 8;
const STEP = 2000;

export interface ShownRows {
  rows: readonly Row[];
  /** Some of them are new at the front: the reader stays where she is. */
  hasGrownInFront: boolean;
  /** Nothing more comes in front. */
  isWhole: boolean;
}

export function useNewestRows(all: readonly Row[], phase: OpenSession['phase']): ShownRows {
  const before = useRef({ phase, count: 0, from: 0 });
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  const from = nextFrom(all.length, phase, before.current);
  const hasGrownInFront = from < before.current.from;
  useEffect(() => {
    before.current = { phase, count: all.length - from, from };
    if (from === 0) return;
    const frame = requestAnimationFrame(() => drawAgain(undefined));
    return () => cancelAnimationFrame(frame);
  });
  return { rows: from === 0 ? all : all.slice(from), hasGrownInFront, isWhole: from === 0 };
}

/** Where the shown rows begin: what was shown stays, and more comes in front of it. */
function nextFrom(length: number, phase: OpenSession['phase'], before: { phase: string; count: number; from: number }) {
  // The whole session takes the place of its end, which has as many rows in both.
  const isReplaced = before.phase === 'tail' && phase === 'ready';
  if (before.count === 0 || isReplaced) return Math.max(0, length - Math.max(FIRST, before.count));
  const step = Math.min(STEP, 4 * before.count);
  return Math.max(0, before.from - step);
}
