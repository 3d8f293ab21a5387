/** The lines of a difference, with their signs and the numbers that they have before and after. */
import type { Row } from '../../../../consent/index.js';
import { visible } from '../../text/visible.js';

const SIGNS: Record<Row['kind'], string> = { add: '+', remove: '−', same: ' ', gap: ' ' };

/** As wide as the style sheet has it. */
const SIGN = 2;

/** `limit`: how many of them are drawn; the numbers are as wide as the widest of all. */
export function DiffLines({ rows, limit }: { rows: readonly Row[]; limit?: number | undefined }) {
  const digits = rows.reduce(
    (most, row) => Math.max(most, String(row.old ?? '').length, String(row.new ?? '').length),
    0,
  );
  const number = (value: number | undefined) => (digits === 0 ? '' : `${String(value ?? '').padStart(digits)} `);
  // What does not fit goes on below its text, not below the numbers.
  const style = { '--gutter': `${number(0).length * 2 + SIGN}ch` };
  return rows.slice(0, limit).map((row, index) => (
    <span key={index} class={`diff-${row.kind}`} style={style}>
      <span class="line-number">
        {number(row.old)}
        {number(row.new)}
      </span>
      <span class="sign">{SIGNS[row.kind]}</span>
      {row.kind === 'gap' ? '⋯' : visible(row.text)}
      {'\n'}
    </span>
  ));
}
