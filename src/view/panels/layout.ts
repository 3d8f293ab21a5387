/** Where the panels stand: beside each other where there is room, else one at a time, and none where nothing can be read. */
import type { PanelsState, Size } from './state.js';

export interface Layout {
  /** Inner widths; a panel without one is not shown. */
  readonly list?: number | undefined;
  readonly session?: number | undefined;
  /** Beside the session, what it changed and its figures. */
  readonly side?: number | undefined;
  /** Rows between the borders. */
  readonly height: number;
}

export const SMALLEST: Size = { columns: 30, rows: 10 };
/** From here on both have room. */
const BESIDE = 72;
/** From here on a conversation has more room than it needs. */
const WIDE = 180;
const SIDE = 44;
/** Head, two borders, keys. */
const AROUND = 4;

/** Undefined where it is too small. */
export function layoutOf(
  { focus, tab, hasHelp }: Pick<PanelsState, 'focus' | 'tab' | 'hasHelp'>,
  { columns, rows }: Size,
): Layout | undefined {
  if (columns < SMALLEST.columns || rows < SMALLEST.rows) return undefined;
  const height = rows - AROUND;
  if (columns < BESIDE) return focus === 'list' ? { list: columns - 2, height } : { session: columns - 2, height };
  const list = Math.min(46, Math.max(26, Math.round(columns * 0.32)));
  const session = columns - list - 3;
  // What stands in a tab of its own needs no place beside it.
  const isTold = hasHelp || tab === 'changes' || tab === 'numbers';
  return columns < WIDE || isTold
    ? { list, session, height }
    : { list, session: session - SIDE - 1, side: SIDE, height };
}
