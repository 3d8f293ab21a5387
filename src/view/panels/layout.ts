/** Where the panels stand: beside each other where there is room, else one at a time, and none where nothing can be read. */
import type { PanelsState, Size } from './state.js';

export interface Layout {
  /** Inner widths; a panel without one is not shown. */
  readonly list?: number | undefined;
  readonly session?: number | undefined;
  /** Rows between the borders. */
  readonly height: number;
}

export const SMALLEST: Size = { columns: 30, rows: 10 };
/** From here on both have room. */
const BESIDE = 72;
/** Head, two borders, keys. */
const AROUND = 4;

/** Undefined where it is too small. */
export function layoutOf({ focus }: Pick<PanelsState, 'focus'>, { columns, rows }: Size): Layout | undefined {
  if (columns < SMALLEST.columns || rows < SMALLEST.rows) return undefined;
  const height = rows - AROUND;
  if (columns < BESIDE) return focus === 'list' ? { list: columns - 2, height } : { session: columns - 2, height };
  const list = Math.min(46, Math.max(26, Math.round(columns * 0.32)));
  return { list, session: columns - list - 3, height };
}
