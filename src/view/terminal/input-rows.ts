/** What is typed, as rows: a mark before it, the cursor in it, and of a long text the rows around the cursor. */
import { safe } from '../text/safe.js';
import { wrap } from '../text/wrap.js';
import type { InputLine } from './input-line.js';
import { styled } from './styled.js';

export interface InputOptions {
  width: number;
  color: boolean;
  /** Stands before the first row. */
  mark: string;
  most: number;
  /** What is typed is not shown, only how much. */
  isSecret?: boolean;
}

/** Stands for the cursor until the rows are made; `safe` lets it into no text. */
const HERE = '\u0000';
const CURSOR = '▌';

export function inputRows(line: InputLine, { width, color, mark, most, isSecret = false }: InputOptions): string[] {
  const shown = (text: string) => (isSecret ? '•'.repeat([...text].length) : safe(text).replaceAll('\t', '  '));
  const { text, cursor } = line;
  const whole = `${shown(text.slice(0, cursor))}${HERE}${shown(text.slice(cursor))}`;
  const indent = ' '.repeat(mark.length);
  const rows = whole.split('\n').flatMap((one) => wrap(one, width - mark.length - 1));
  const at = rows.findIndex((row) => row.includes(HERE));
  const from = Math.max(0, Math.min(at - most + 1, rows.length - most));
  return rows
    .slice(from, from + most)
    .map((row, index) => (from + index === 0 ? mark : indent) + row.replace(HERE, styled(CURSOR, ['accent'], color)));
}
