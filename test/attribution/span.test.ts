import { expect, test } from 'vitest';
import { type Mark, spansOf, type Work } from '../../src/attribution/span.js';

const turn = (number: number, runId = 'r') => ({ session: 's', runId, turn: number });

/** `b1@10:x`: before turn 1, at 10, the files are x; `?` is late, nothing after the colon is not kept. */
function marksOf(text: string): Mark[] {
  return [...text.matchAll(/([ba])(\d)(\w?)@(\d+):(\w*)(\?)?/g)].map(([, moment, number, run, at, commit, late]) => ({
    at: Number(at),
    turn: turn(Number(number), run || 'r'),
    moment: moment === 'b' ? 'before' : 'after',
    commit: commit || undefined,
    isLate: late !== undefined,
  }));
}

/** `x-y 1,2~` : from x to y, turns 1 and 2 were at work, for a part of the time nobody. */
const shown = (marks: string, works: Work[] = [], now?: { commit: string; at: number }) =>
  spansOf(marksOf(marks), works, [], now).map(
    ({ from, to, turns, isPartlyOutside }) =>
      `${from}-${to} ${turns.map((one) => one.turn).join()}${isPartlyOutside ? '~' : ''}`,
  );

test.each<[marks: string, spans: string[]]>([
  ['b1@1:a a1@2:b', ['a-b 1']],
  ['b1@1:a a1@2:b b2@3:c a2@4:d', ['a-b 1', 'b-c ~', 'c-d 2']],
  // What is late is no boundary: what came before it and the turn are one.
  ['b1@1:a a1@2:b b2@3:c? a2@4:d', ['a-b 1', 'b-d 2~']],
  ['b1@1:a? a1@2:b', ['a-b 1']],
  ['b1@1:a a1@2:b? b2@3:c a2@4:d', ['a-c 1~', 'c-d 2']],
  ['b1@1:a a1@2: b2@3: a2@4:d', ['a-d 1,2~']],
  // Two sessions at once.
  ['b1@1:a b1q@2:b a1@3:c a1q@4:d', ['a-b 1', 'b-c 1,1', 'c-d 1']],
  // Nothing is known to have ended it.
  ['b1@1:a b1q@5:b a1q@6:c', ['a-b 1', 'b-c 1,1']],
])('%s', (marks, spans) => {
  expect(shown(marks)).toEqual(spans);
});

test('what goes on ends with the files as they are, and work of which only the time is known counts', () => {
  expect(shown('b1@1:a', [], { commit: 'z', at: 9 })).toEqual(['a-z 1']);
  expect(shown('b1@1:a a1@2:b', [], { commit: 'z', at: 9 })).toEqual(['a-b 1', 'b-z ~']);
  expect(shown('b1@1:a a1@2:b', [{ turn: turn(7, 'q'), from: 4, to: 5 }], { commit: 'z', at: 9 })).toEqual([
    'a-b 1',
    'b-z 7~',
  ]);
  expect(shown('b1@1:a', [{ turn: turn(1), from: 1, to: 3 }], { commit: 'z', at: 9 })).toEqual(['a-z 1~']);
});

test('files that were taken back are a span of their own, whoever was at work', () => {
  const rewind = { session: 's', to: 'before turn 1', at: 5, before: 'c', after: 'd' };
  const told = (marks: string, now?: { commit: string; at: number }) =>
    spansOf(marksOf(marks), [], [rewind], now).map(
      ({ from, to, turns, rewind: by }) => `${from}-${to} ${by ? by.to : turns.map((one) => one.turn).join()}`,
    );
  expect(told('b1@1:a a1@2:b', { commit: 'z', at: 9 })).toEqual(['a-b 1', 'b-c ', 'c-d before turn 1', 'd-z ']);
  expect(told('b1@1:a a1@8:z')).toEqual(['a-c 1', 'c-d before turn 1', 'd-z 1']);
});
