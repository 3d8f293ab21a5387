/** Text for a person at a terminal: lines are broken between words. A word that is longer than a row stays whole, so that a path or an address can be copied. */
import stringWidth from 'fast-string-width';

/** Where it is written; without a terminal every line stays as it is. */
export type Where = Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>>;

const LEAST_COLUMNS = 20;
/** Rows that go on with a line stand a little to the right of it. */
const INDENT = '  ';

export function byWords(text: string, { isTTY, columns }: Where): string {
  if (!isTTY || !columns || columns < LEAST_COLUMNS) return text;
  return text
    .split('\n')
    .flatMap((line) =>
      stringWidth(line) < columns ? [line] : inColumns(line).flatMap((part) => rowsOf(part, columns - 1)),
    )
    .join('\n');
}

/** What stands in a column of its own gets a row of its own, a little to the right. */
function inColumns(line: string): string[] {
  const [, indent = '', first, rest] = /^(\s*)(\S+(?: \S+)*) {2,}(\S.*)$/.exec(line) ?? [];
  return first === undefined || rest === undefined ? [line] : [indent + first, indent + INDENT + rest];
}

function rowsOf(line: string, width: number): string[] {
  const [start = ''] = /^\s*/.exec(line) ?? [];
  const rows: string[] = [];
  let row = '';
  for (const word of line.trimStart().split(' ')) {
    const indent = rows.length === 0 ? start : start + INDENT;
    const longer = row === '' ? indent + word : `${row} ${word}`;
    if (row === '' || stringWidth(longer) <= width) row = longer;
    else {
      rows.push(row);
      row = start + INDENT + word;
    }
  }
  return [...rows, row];
}
