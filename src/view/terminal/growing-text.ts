/**
 * A text that still grows, as rows of two kinds: those that nothing can change any more, and those of its open end. A block of
 * Markdown is final when the next one has begun; of a fence every whole line is. However it grows, its rows are in the end those of the whole.
 */
import type { Token } from 'marked';
import { readMarkdown } from '../../word/read-markdown.js';
import { safe } from '../text/safe.js';
import { codeRows, drawBlocks, markdownRows, type RowOptions } from './markdown-rows.js';
import { rowsOf } from './styled.js';

/** How far a text was told for good. */
export interface TextPlace {
  /** In the text as it is shown. */
  readonly offset: number;
  /** What closes the block of code that is open there. */
  readonly fence?: string | undefined;
  readonly hasRows: boolean;
}

export interface GrownText {
  settled: string[];
  open: string[];
  place: TextPlace;
}

/** A block that is longer is told as it is written: it would be read again with each of its words. */
const MOST_LENGTH = 20_000;

export const TEXT_BEGINNING: TextPlace = { offset: 0, hasRows: false };

export function growText(text: string, isComplete: boolean, from: TextPlace, options: RowOptions): GrownText {
  const whole = safe(text);
  const settled: string[] = [];
  let { offset, fence, hasRows } = from;

  for (;;) {
    const rest = whole.slice(offset);
    if (fence !== undefined) {
      const code = codeIn(rest, fence);
      settle(codeLines(code.lines), true);
      offset += code.length;
      if (code.isClosed) {
        fence = undefined;
        continue;
      }
      const open = codeLines(code.rest === '' ? [] : [code.rest]);
      if (isComplete) settle(open, true);
      return ended(isComplete ? [] : open, isComplete ? whole.length : offset);
    }
    if (isComplete) {
      settle(markdownRows(rest, options));
      return ended([], whole.length);
    }
    const { done, fence: opened, cut } = readBlocks(rest);
    if (cut > 0) {
      settle(rowsOf([{ text: rest.slice(0, cut).trimEnd(), looks: [] }], options.width, options.color));
      offset += cut;
    } else if (opened !== undefined) {
      settle(drawBlocks(done, options));
      if (hasRows) settled.push('');
      offset += lengthOf(done) + opened.head;
      fence = opened.fence;
      hasRows = true;
    } else {
      settle(drawBlocks(done, options));
      offset += lengthOf(done);
      const open = markdownRows(whole.slice(offset), options);
      return ended(hasRows && open.length > 0 ? ['', ...open] : open, offset);
    }
  }

  function settle(rows: readonly string[], isContinued = false): void {
    if (rows.length === 0) return;
    if (hasRows && !isContinued) settled.push('');
    settled.push(...rows);
    hasRows = true;
  }

  function codeLines(lines: readonly string[]): string[] {
    return lines.flatMap((line) => codeRows(line, options));
  }

  function ended(open: string[], at: number): GrownText {
    return { settled, open, place: { offset: at, fence, hasRows } };
  }
}

interface ReadBlocks {
  /** Blocks that are over, because another one has begun. */
  done: Token[];
  /** The last one is a fence: where its code begins, and what will close it. */
  fence?: { fence: string; head: number };
  /** So much of a text without end is told as it is written. */
  cut: number;
}

function readBlocks(text: string): ReadBlocks {
  const blocks = text.length > 2 * MOST_LENGTH ? [] : readMarkdown(text);
  const last = blocks.findLastIndex(({ type }) => type !== 'space');
  const done = blocks.slice(0, Math.max(0, last));
  const rest = text.length - lengthOf(done);
  if (rest > MOST_LENGTH) return { done: [], cut: breakOf(text) };
  const open = blocks[last];
  const head = open?.type === 'code' ? open.raw.indexOf('\n') + 1 : 0;
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(open?.raw.slice(0, head) ?? '')?.[1];
  if (fence === undefined || isClosed(open?.raw ?? '', head, fence)) return { done, cut: 0 };
  return { done, fence: { fence, head }, cut: 0 };
}

/** Where a text may be broken that has no end: at its last line, else at its last word. */
function breakOf(text: string): number {
  const at = Math.max(text.lastIndexOf('\n'), 0) || text.lastIndexOf(' ');
  return at > 0 ? at + 1 : text.length;
}

function isClosed(raw: string, from: number, fence: string): boolean {
  return raw
    .slice(from)
    .split('\n')
    .some((line) => closes(line, fence));
}

function closes(line: string, fence: string): boolean {
  return /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1]?.startsWith(fence) ?? false;
}

function codeIn(text: string, fence: string) {
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  const end = lines.findIndex((line) => closes(line, fence));
  const isClosed = end >= 0;
  const inside = isClosed ? lines.slice(0, end) : lines;
  const length = lines.slice(0, isClosed ? end + 1 : lines.length).reduce((sum, line) => sum + line.length + 1, 0);
  // What may become its closing line is none of its code.
  return { lines: inside, rest: closes(rest, fence) ? '' : rest, length, isClosed };
}

const lengthOf = (blocks: readonly Token[]): number => blocks.reduce((sum, { raw }) => sum + raw.length, 0);
