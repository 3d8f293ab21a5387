/** All keys, in the place of the session. */
import { rowsOf, styled } from '../terminal/styled.js';

const GROUPS: readonly (readonly [title: string, keys: readonly (readonly [key: string, does: string])[]])[] = [
  [
    'Look',
    [
      ['↑ ↓ j k', 'another session; after ⏎ scroll it'],
      ['Tab', 'the next one that waits (⇧Tab back)'],
      ['⏎ →  Esc ←', 'into a session, and back'],
      ['1 2 3 4 5', 'conversation, tools, thinking, changes, numbers'],
      ['PgUp PgDn', 'turn its pages; g G Home End to its ends'],
      ['/', 'search everything that was kept'],
    ],
  ],
  [
    'Answer',
    [
      ['y n', 'allow once; no, and why'],
      ['a e', 'always; change it first'],
      ['w l', 'why and all of it; later'],
      ['⏎', 'into a question that wants words or a choice'],
    ],
  ],
  [
    'Steer',
    [
      ['s', 'say something'],
      ['i', 'interrupt its turn'],
      ['x x', 'end it'],
      ['r', 'go on with one that has ended'],
    ],
  ],
  ['Leave', [['q Ctrl-C', 'the agents go on, but for those resumed here']]],
];

const COLUMN = 12;

export function helpRows({ width, color }: { width: number; color: boolean }): string[] {
  const parts = GROUPS.map(([title, keys]) => [
    ` ${styled(title, ['bold'], color)}`,
    ...keys.flatMap(([key, does]) =>
      rowsOf([{ text: does, looks: ['dim'] }], width - COLUMN - 3, color).map(
        (row, index) => `  ${styled((index === 0 ? key : '').padEnd(COLUMN), ['accent'], color)}${row}`,
      ),
    ),
  ]);
  return parts.flatMap((rows, index) => (index > 0 ? ['', ...rows] : rows));
}
