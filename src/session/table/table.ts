/** Records with ids of which some are still open: the one shape in which a state keeps turns, messages, tools and the rest. */
import { append, type Chunks, emptyChunks, entries, entryAt, withEntry, withoutEntry } from './chunks.js';
import { emptyIndex, type IdIndex, numberOf, withId } from './id-index.js';

/** A record is known by its number, its position in `rows`, which never changes. */
export interface Table<Row> {
  readonly rows: Chunks<Row>;
  /** The numbers of the rows that are not finished yet, in order. */
  readonly open: Chunks<1>;
  readonly ids: IdIndex;
}

const EMPTY: Table<never> = { rows: emptyChunks(), open: emptyChunks(), ids: emptyIndex };

export function emptyTable<Row>(): Table<Row> {
  return EMPTY;
}

/** The row with this number; undefined for one that is not there. */
export function rowAt<Row>(table: Table<Row>, number: number | undefined): Row | undefined {
  return number === undefined ? undefined : entryAt(table.rows, number);
}

export function findRow<Row>(table: Table<Row>, key: string): number | undefined {
  return numberOf(table.ids, key);
}

/** Adds an open row; its number is `table.rows.size` before. */
export function addRow<Row>(table: Table<Row>, key: string, row: Row): Table<Row> {
  const number = table.rows.size;
  return {
    rows: append(table.rows, row),
    open: withEntry(table.open, number, 1),
    ids: withId(table.ids, key, number),
  };
}

export function setRow<Row>(table: Table<Row>, number: number, row: Row): Table<Row> {
  return { rows: withEntry(table.rows, number, row), open: table.open, ids: table.ids };
}

export function closeRow<Row>(table: Table<Row>, number: number, row: Row): Table<Row> {
  return { rows: withEntry(table.rows, number, row), open: withoutEntry(table.open, number), ids: table.ids };
}

export function isOpen<Row>(table: Table<Row>, number: number): boolean {
  return entryAt(table.open, number) === 1;
}

/** The open rows, oldest first; costs what is open, not what ever was. */
export function* openRows<Row>(table: Table<Row>): Generator<[number: number, row: Row]> {
  for (const [number] of entries(table.open)) {
    const row = entryAt(table.rows, number);
    if (row !== undefined) yield [number, row];
  }
}

/** Ids restart with every process, so a key says whose id it is. */
export function keyOf(run: number, id: string | number): string {
  return `${run}:${id}`;
}
