/** Leads the reader to the row that a link means, and marks the words there for as long as it is looked at. */
import { useStore } from '@nanostores/preact';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { VirtualizerHandle } from 'virtua';
import type { Row } from '../../../session/index.js';
import { wordPattern } from '../text/find-words.js';
import { $found, type Found, showPlace } from './found.js';
import type { OpenSession } from './open-session.js';
import { $route } from './route.js';

interface List {
  open: OpenSession;
  rows: readonly Row[];
  /** Rows that still come in front would push away what was reached. */
  isWhole: boolean;
  scroller: RefObject<HTMLElement>;
  list: RefObject<VirtualizerHandle>;
  /** The list no longer stays at its end. */
  letGo: () => void;
}

export function useFound({ open: { state, phase }, rows, isWhole, scroller, list, letGo }: List): Found | undefined {
  const route = useStore($route);
  const place = route.page === 'session' ? route.place : undefined;
  const found = useStore($found);
  const shown = useRef<Found | undefined>();

  useEffect(() => {
    if (place === undefined || phase !== 'ready') return;
    const stop = new AbortController();
    void showPlace(place, state, stop.signal);
    return () => {
      stop.abort();
      $found.set(undefined);
    };
  }, [place, phase]);

  useEffect(() => {
    if (found === undefined || !isWhole || shown.current === found) return;
    const index = rows.findIndex(({ key }) => key === found.key);
    if (index < 0) return;
    shown.current = found;
    letGo();
    return leadTo(() => list.current?.scrollToIndex(index, { align: 'center' }), scroller.current);
  }, [found, isWhole, rows.length > 0]);

  useEffect(() => {
    const pattern = found && wordPattern(found.words);
    const frame = scroller.current;
    if (pattern === undefined || frame === null || !('highlights' in CSS)) return;
    let isLedThere = false;
    const mark = () => {
      const row = frame.querySelector('.row.is-found');
      const ranges = row ? findRanges(row, pattern) : [];
      CSS.highlights.set('found', new Highlight(...ranges));
      const [first] = ranges;
      if (first === undefined || isLedThere) return;
      isLedThere = true;
      center(first, frame);
    };
    // Rows come and go while scrolling, and some of their parts are loaded later.
    const changes = new MutationObserver(mark);
    changes.observe(frame, { childList: true, subtree: true, characterData: true });
    mark();
    return () => {
      changes.disconnect();
      CSS.highlights.delete('found');
    };
  }, [found, rows.length > 0]);

  return found;
}

/**
 * The list knows the heights only of rows that were drawn, so the first jump may miss. It is repeated until the row stands on the
 * screen, and given up as soon as the reader moves by himself.
 */
function leadTo(jump: () => void, frame: HTMLElement | null): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let rests = 0;
  const step = () => {
    if (signal.aborted || frame === null) return;
    rests = isSeen(frame.querySelector('.row.is-found'), frame) ? rests + 1 : 0;
    if (rests === RESTS) return stop.abort();
    if (rests === 0) jump();
    requestAnimationFrame(step);
  };
  for (const move of ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const) {
    frame?.addEventListener(move, () => stop.abort(), { passive: true, signal });
  }
  step();
  return () => stop.abort();
}

/** Frames in a row without a move. */
const RESTS = 5;

function isSeen(row: Element | null, frame: Element): boolean {
  if (row === null) return false;
  const { top, bottom } = row.getBoundingClientRect();
  const view = frame.getBoundingClientRect();
  return bottom > view.top && top < view.bottom;
}

/** In every box that scrolls around it, from the inside out. */
function center(range: Range, outermost: Element): void {
  for (let box = range.startContainer.parentElement; box !== null; box = box.parentElement) {
    if (box.scrollHeight > box.clientHeight) {
      const { top } = range.getBoundingClientRect();
      box.scrollTop += top - box.getBoundingClientRect().top - box.clientHeight / 2;
    }
    if (box === outermost) return;
  }
}

/** Where the words are in what is shown below an element. */
function findRanges(root: Node, pattern: RegExp): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    for (const match of (node.nodeValue ?? '').matchAll(pattern)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      ranges.push(range);
    }
  }
  return ranges;
}
