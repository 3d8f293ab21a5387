/** All keys, in the place of the session. */
import { rowsOf, styled } from '../terminal/styled.js';

const GROUPS: readonly (readonly [title: string, keys: readonly (readonly [key: string, does: string])[]])[] = [
  [
    'Look',
    [
      ['↑ ↓ j k', 'another session; inside one, scroll'],
      ['Tab ⇧Tab', 'the next one that waits'],
      ['⏎ →  Esc ←', 'into a session, and back'],
      ['1 to 5', 'its tabs'],
      ['PgUp PgDn', 'its pages; g G Home End: its ends'],
      ['/', 'search everything that was kept'],
    ],
  ],
  [
    'Answer',
    [
      ['y n', 'allow once; no, and why'],
      ['a e', 'always; change it first'],
      ['w l', 'why, and all of it; later'],
      ['⏎', 'into one that wants words'],
    ],
  ],
  [
    'Steer',
    [
      ['s i', 'say something; interrupt its turn'],
      ['x x', 'end it'],
      ['r b', 'go on with an ended one; take back'],
      ['T', 'in the agent’s own program, and back'],
    ],
  ],
  ['Leave', [['q Ctrl-C', 'agents go on, but for those resumed here']]],
];

const COLUMN = 12;

/** Where there is little room, without the air between them, and then without their titles. */
export function helpRows({ width, height, color }: { width: number; height: number; color: boolean }): string[] {
  const parts = GROUPS.map(([title, keys]) => ({
    title: ` ${styled(title, ['bold'], color)}`,
    rows: keys.flatMap(([key, does]) =>
      rowsOf([{ text: does, looks: ['dim'] }], width - COLUMN - 3, color).map(
        (row, index) => `  ${styled((index === 0 ? key : '').padEnd(COLUMN), ['accent'], color)}${row}`,
      ),
    ),
  }));
  const airy = parts.flatMap(({ title, rows }, index) => [...(index > 0 ? [''] : []), title, ...rows]);
  const titled = parts.flatMap(({ title, rows }) => [title, ...rows]);
  return [airy, titled].find((rows) => rows.length <= height) ?? parts.flatMap(({ rows }) => rows);
}
