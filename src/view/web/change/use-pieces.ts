/**
 * The pieces of a line in sight. Colours and words that differ cost more than all the rest of a line: where many lines come at once, as after a jump, they are
 * drawn plain and get them a few at a time, so that nothing holds up the page.
 */
import { useEffect, useState } from 'preact/hooks';
import { nextTask } from '../state/main-thread.js';
import type { Line } from './line-row.js';
import { type DrawnPiece, knownPieces, makePieces } from './line-text.js';

/** So long at a time, and no more lines, because they are drawn again too. */
const MAKE_MS = 5;
const MOST_LINES = 12;

export function usePieces(line: Line): readonly DrawnPiece[] {
  const [, draw] = useState(0);
  const pieces = knownPieces(line) ?? makeInTime(line);
  const isMade = pieces !== undefined;
  useEffect(() => (isMade ? undefined : later(line, () => draw((count) => count + 1))), [line, isMade]);
  return pieces ?? [{ text: line.text, isChanged: false }];
}

let spentMs = 0;

/** Where lines come one by one, nobody sees them without their colours. */
function makeInTime(line: Line): readonly DrawnPiece[] | undefined {
  if (waiting.size > 0 || spentMs > MAKE_MS) return undefined;
  if (spentMs === 0) nextTask(() => (spentMs = 0));
  const startedAt = performance.now();
  const pieces = makePieces(line);
  spentMs += performance.now() - startedAt;
  return pieces;
}

const waiting = new Map<() => void, Line>();
let isAsked = false;

function later(line: Line, draw: () => void): () => void {
  waiting.set(draw, line);
  askForTime();
  return () => waiting.delete(draw);
}

function askForTime(): void {
  if (isAsked || waiting.size === 0) return;
  isAsked = true;
  nextTask(() => {
    isAsked = false;
    const until = performance.now() + MAKE_MS;
    let count = 0;
    for (const [draw, line] of waiting) {
      waiting.delete(draw);
      makePieces(line);
      draw();
      count += 1;
      if (count >= MOST_LINES || performance.now() > until) break;
    }
    askForTime();
  });
}
