/** What comes before a glimpse is put in front of it a part at a time: all at once would hold up the page. */
import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { Row } from '../../../session/index.js';
import type { OpenSession } from './open-session.js';

const STEP = 2000;

export interface ShownRows {
  rows: readonly Row[];
  /** Some of them are new at the front: the reader stays where she is. */
  hasGrownInFront: boolean;
}

export function useFront(all: readonly Row[], phase: OpenSession['phase']): ShownRows {
  const before = useRef({ phase, count: 0, from: 0 });
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  const isWhole = before.current.phase !== 'glimpse' || phase !== 'ready';
  const from = isWhole ? Math.max(0, before.current.from - STEP) : Math.max(0, all.length - before.current.count);
  const hasGrownInFront = from < before.current.from;
  useEffect(() => {
    before.current = { phase, count: all.length - from, from };
    if (from === 0) return;
    const frame = requestAnimationFrame(() => drawAgain(undefined));
    return () => cancelAnimationFrame(frame);
  });
  return { rows: from === 0 ? all : all.slice(from), hasGrownInFront };
}
