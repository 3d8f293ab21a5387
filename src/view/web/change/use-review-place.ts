/** Where the reader is in a review, what is folded, and the ways to the next file or part. */

import { atom, type ReadableAtom } from 'nanostores';
import type { RefObject } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { VirtualizerHandle } from 'virtua';
import { type Layout, type Line, type ListRow, listRows } from './line-row.js';
import type { ReviewFile } from './review-file.js';
import type { Seen } from './seen.js';
import { linesIn, type Talk } from './talk.js';

export interface ReviewPlace {
  list: RefObject<VirtualizerHandle>;
  files: readonly ReviewFile[];
  rows: readonly ListRow[];
  /** Told to those alone who draw it: who scrolls passes many files, and the rest of the page stays as it is. */
  $top: ReadableAtom<Top>;
  /** The file that is read. */
  current(): ReviewFile | undefined;
  isFolded(file: ReviewFile): boolean;
  fold(file: ReviewFile): void;
  toggleSeen(file: ReviewFile): void;
  onScroll(offset: number): void;
  goTo(file: ReviewFile): void;
  /** To what is said, which may be in a file that is folded. */
  goToTalk(key: string): void;
  /** The first line in sight that came or went. */
  lineInSight(): Line | undefined;
  step(kind: 'file' | 'part', by: 1 | -1): void;
}

export interface Top {
  path?: string | undefined;
  /** The head of that file is above what is seen. */
  isInside: boolean;
}

interface Options {
  files: readonly ReviewFile[];
  seen: Seen;
  layout: Layout;
  onWant: (path: string) => void;
  talks: readonly Talk[];
}

export function useReviewPlace({ files, seen, layout, onWant, talks }: Options): ReviewPlace {
  const list = useRef<VirtualizerHandle>(null);
  const [folds, setFolds] = useState<Readonly<Record<string, boolean>>>({});
  const $top = useMemo(() => atom<Top>({ isInside: false }), []);
  // What was seen is folded, until somebody opens it.
  const isFolded = (file: ReviewFile) => folds[file.path] ?? seen.isSeen(file);
  const rows = useMemo(() => listRows(files, layout, isFolded, talks), [files, layout, folds, seen, talks]);
  const current = () => fileAt(files, $top.get());
  const toRow = (index: number) => index >= 0 && list.current?.scrollToIndex(index, { align: 'start' });
  const rowAtTop = () => list.current?.findItemIndex(list.current.scrollOffset + 1) ?? 0;
  const setFold = (path: string, isOn: boolean) => setFolds((before) => ({ ...before, [path]: isOn }));
  return {
    list,
    files,
    rows,
    $top,
    current,
    isFolded,
    fold: (file) => setFold(file.path, !isFolded(file)),
    toggleSeen(file) {
      setFold(file.path, !seen.isSeen(file));
      // What is folded above the reader would carry the rest away.
      if (!seen.isSeen(file) && file === current())
        toRow(rows.findIndex((row) => row.kind === 'file' && row.file === file));
      seen.toggle(file);
    },
    onScroll(offset) {
      const row = rows[list.current?.findItemIndex(offset + 1) ?? 0];
      const top = $top.get();
      const next = { path: row?.file.path, isInside: row !== undefined && row.kind !== 'file' };
      if (next.path !== top.path || next.isInside !== top.isInside) $top.set(next);
      if (row && row.file.parts === undefined) onWant(row.file.path);
    },
    goTo(file) {
      onWant(file.path);
      toRow(rows.findIndex((row) => row.kind === 'file' && row.file.path === file.path));
    },
    goToTalk(key) {
      toRow(rows.findIndex((row) => row.kind === 'talk' && row.talk.key === key));
    },
    lineInSight() {
      const at = rowAtTop();
      for (const row of rows.slice(at, at + 200)) {
        const line = linesIn(row).find(({ kind }) => kind === 'add' || kind === 'remove');
        if (line) return line;
      }
      return undefined;
    },
    step(kind, by) {
      const at = rowAtTop();
      const isGoal = (row: ListRow) => row.kind === kind;
      toRow(
        by > 0
          ? rows.findIndex((row, index) => index > at && isGoal(row))
          : rows.findLastIndex((row, index) => index < at && isGoal(row)),
      );
    },
  };
}

export function fileAt(files: readonly ReviewFile[], { path }: Top): ReviewFile | undefined {
  return files.find((file) => file.path === path) ?? files[0];
}
