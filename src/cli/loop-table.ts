/** The summary of a loop: one row an iteration, and what they came to. */
import type { Completion } from '../event/index.js';
import { safeLine } from '../view/text/index.js';
import { formatDuration } from './duration.js';

export function loopTable(completions: readonly Completion[]): string[] {
  const rows = completions.map(({ reason, turns, cost, durationMs, text, error }, index) => [
    String(index + 1),
    reason,
    String(turns),
    cost ? dollars(cost.usd) : 'unknown',
    formatDuration(durationMs),
    safeLine(text ?? error?.message, 50),
  ]);
  const known = completions.flatMap(({ cost }) => (cost ? [cost.usd] : []));
  const total = [
    '',
    'all',
    String(completions.reduce((sum, { turns }) => sum + turns, 0)),
    known.length === completions.length ? dollars(known.reduce((sum, usd) => sum + usd, 0)) : 'unknown',
    formatDuration(completions.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    '',
  ];
  return aligned([['#', 'ended', 'turns', 'cost', 'time', 'answer'], ...rows, total]);
}

const dollars = (usd: number): string => `$${usd.toFixed(4)}`;

/** Numbers to the right, words to the left. */
function aligned(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isNumber = (column: number) => column === 0 || (column >= 2 && column <= 4);
  return rows.map((row) =>
    row
      .map((cell, column) => (isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
