/** Rows that are shown a screen at a time. */

export interface Pager {
  /** The next screen of them. */
  next(): string[];
  /** All that were not shown yet. */
  rest(): string[];
  left(): number;
}

/** Rows that a prompt and a remark need besides. */
const BESIDES = 4;
const LEAST = 5;

export function createPager(rows: readonly string[], screen: number): Pager {
  let shown = 0;
  const take = (count: number) => {
    const taken = rows.slice(shown, shown + count);
    shown += taken.length;
    return taken;
  };
  return {
    next: () => take(Math.max(LEAST, screen - BESIDES)),
    rest: () => take(rows.length),
    left: () => rows.length - shown,
  };
}
