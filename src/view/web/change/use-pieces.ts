/**
 * Colours take longer than the rest of a line: where they are not known yet, lines are drawn plain and get them a few at a time, so that nothing holds up
 * the page. Lines are drawn before they come into sight, so that who scrolls hardly sees one without.
 */
import { useEffect, useState } from 'preact/hooks';
import { nextTask } from '../state/main-thread.js';
import type { Line } from './line-row.js';
import { type DrawnPiece, isColoured, makePieces, prepareColours } from './line-text.js';

/** So long at a time, and no more lines, because they are drawn again too. */
const MAKE_MS = 5;
const MOST_LINES = 12;

export function usePieces(line: Line): readonly DrawnPiece[] {
  const [, draw] = useState(0);
  const isReady = isColoured(line);
  useEffect(() => (isReady ? undefined : later(line, () => draw((count) => count + 1))), [line, isReady]);
  return isReady ? makePieces(line) : [{ text: line.text, isChanged: false }];
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
    drawSome();
    askForTime();
  });
}

function drawSome(): void {
  const until = performance.now() + MAKE_MS;
  let count = 0;
  for (const [draw, line] of waiting) {
    // What a language needs before its first line takes long enough by itself.
    if (prepareColours(line)) return;
    waiting.delete(draw);
    makePieces(line);
    draw();
    count += 1;
    if (count >= MOST_LINES || performance.now() > until) return;
  }
}
