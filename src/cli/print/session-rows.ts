/** Sessions as rows of a table that fits the terminal: what says less leaves first. */
import { homedir } from 'node:os';
import type { Presence } from '../../presence/index.js';
import type { SessionRecord } from '../../store/index.js';
import { createPaint } from '../../view/text/palette.js';
import { type ColorChoice, wantsColor } from './color.js';
import { type Place, SESSION_COLUMNS, sessionCells } from './session-cell.js';
import { type Cell, fittedTable } from './table.js';

type Screen = Pick<NodeJS.Process, 'stdout' | 'env' | 'cwd'>;

export interface SessionRowsOptions {
  color?: ColorChoice;
  /** What each of them does now. */
  presences?: readonly (Presence | undefined)[];
}

/** With a head for who reads it; a program that reads it finds one session a line. */
export function sessionRows(
  sessions: readonly SessionRecord[],
  process: Screen,
  { color = 'auto', presences = [] }: SessionRowsOptions = {},
): string[] {
  const place = placeOf(process);
  const rows = sessions.map((session, index) => sessionCells(session, { ...place, presence: presences[index] }));
  return [...headOf(rows, process, color), ...rowsOf(rows, process, color)];
}

export function placeOf({ cwd }: Pick<Screen, 'cwd'>): Place {
  return { home: homedir(), here: cwd() };
}

/** One row for each, without a head. */
export function rowsOf(rows: readonly Cell[][], process: Screen, color: ColorChoice): string[] {
  return drawn(rows, process, color).slice(1);
}

/** None where nobody looks, or where there is nothing below. */
export function headOf(rows: readonly Cell[][], process: Screen, color: ColorChoice): string[] {
  return process.stdout.isTTY && rows.length > 0 ? drawn(rows, process, color).slice(0, 1) : [];
}

function drawn(rows: readonly Cell[][], { stdout, env }: Screen, color: ColorChoice): string[] {
  return fittedTable(SESSION_COLUMNS, rows, createPaint(wantsColor(color, stdout, env)), stdout.columns);
}
