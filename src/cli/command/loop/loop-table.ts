/** The summary of a loop: one row an iteration, and what they came to. */
import type { Completion } from '../../../event/index.js';
import { sumFigures, tellMoney } from '../../../ledger/index.js';
import { safeLine } from '../../../view/text/index.js';
import { duration } from '../../../word/index.js';

export function loopTable(completions: readonly Completion[]): string[] {
  const rows = completions.map((completion, index) => [
    String(index + 1),
    completion.reason,
    String(completion.turns),
    costCell([completion]),
    duration(completion.durationMs),
    safeLine(completion.text ?? completion.error?.message, 50),
  ]);
  const total = [
    '',
    'all',
    String(completions.reduce((sum, { turns }) => sum + turns, 0)),
    costCell(completions),
    duration(completions.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    '',
  ];
  return aligned([['#', 'ended', 'turns', 'cost', 'time', 'answer'], ...rows, total]);
}

/** As the session's own sum: what ended before its agent began spent nothing, and makes nothing uncertain. */
function costCell(completions: readonly Completion[]): string {
  const spending = completions.filter(
    ({ turns, cost, usage }) => turns > 0 || cost !== undefined || usage !== undefined,
  );
  if (spending.length === 0) return '–';
  const figure = sumFigures(spending.map(({ cost }) => cost));
  return figure ? tellMoney(figure) : 'unknown';
}

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
