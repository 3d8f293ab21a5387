/** The text in which changes are commented, and the message that comes of it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readReviewText, reviewMessage, reviewText, type Written } from '../../src/review/index.js';

const FILES = [
  {
    path: 'src/a.ts',
    hunks: [
      { oldStart: 10, newStart: 10, lines: [' same', '-went', '+came', '+came too', ' '] },
      { oldStart: 40, newStart: 41, lines: ['-only went'] },
    ],
  },
  { path: 'b', hunks: [{ oldStart: 0, newStart: 1, lines: ['+\u001b[2Jone\u202e', '+> quoted', '+# no remark'] }] },
];
const TEXT = reviewText(FILES, [], ['k7qd: title']);

/** The text with these lines put below others. */
function commented(...below: [line: string, comment: string][]): string {
  return below.reduce((text, [line, comment]) => text.replace(`\n${line}\n`, `\n${line}\n${comment}\n`), TEXT);
}

test('what was written comes back with path, side, lines and quote', () => {
  const text = commented(
    ['+came', '> Why?\n>\n> Really.'],
    ['-went', '> keep it'],
    ['-only went', '>1 gone'],
    ['+came too', '>3 all of this'],
  );
  expect(readReviewText(text, FILES)).toEqual<Written[]>([
    { path: 'src/a.ts', side: 'old', start: 11, end: 11, quote: ['-went'], text: 'keep it' },
    { path: 'src/a.ts', side: 'new', start: 11, end: 11, quote: ['+came'], text: 'Why?\n\nReally.' },
    { path: 'src/a.ts', side: 'new', start: 11, end: 12, quote: ['-went', '+came', '+came too'], text: 'all of this' },
    { path: 'src/a.ts', side: 'old', start: 40, end: 40, quote: ['-only went'], text: 'gone' },
  ]);
});

test('an editor may write other line ends, take blanks away at the end, and whole files may go', () => {
  const text = commented(['+came', '> Why?']);
  const [first] = readReviewText(text, FILES);
  expect(readReviewText(text.replaceAll('\n', '\r\n'), FILES)).toEqual([first]);
  expect(readReviewText(text.replace(/ +$/gm, ''), FILES)).toEqual([first]);
  expect(readReviewText(text.slice(0, text.indexOf('=== b')), FILES)).toEqual([first]);
  const blank = [{ path: 'f', hunks: [{ oldStart: 1, newStart: 1, lines: ['+x', ' ', ' '] }] }];
  expect(readReviewText(reviewText(blank, [], []).trimEnd(), blank)).toEqual([]);
  expect(readReviewText('# nothing\n', FILES)).toEqual([]);
  expect(readReviewText(commented(['+came', '>']), FILES)).toEqual([]);
});

test.each([
  [TEXT.replace('+came too\n', ''), 'the lines of src/a.ts are not as they were'],
  [TEXT.replace('+came too', '+came two'), 'the lines of src/a.ts are not as they were'],
  [TEXT.replace('-only went\n', ''), 'the lines of src/a.ts are not as they were'],
  [`words without a mark\n${TEXT}`, 'is no line of the changes'],
  [`> to nothing\n${TEXT}`, 'belongs below a line of a file'],
  [commented(['@@ line 10 became line 10 @@', '> to the head']), 'there are no 1 lines of one part'],
  [commented(['-went', '>9 too many']), 'there are no 9 lines of one part'],
])('a text that does not fit is refused, with the line', (text, problem) => {
  expect(() => readReviewText(text, FILES)).toThrow(problem);
});

test('comments that are kept stand in the text again, and nothing hostile does', () => {
  const written = readReviewText(commented(['+came too', '>2 Why?\n> Really.'], ['-only went', '> x']), FILES);
  const again = reviewText(FILES, written, []);
  expect(readReviewText(again, FILES)).toEqual(written);
  for (const hostile of ['\u001b', '\u202e']) expect(TEXT).not.toContain(hostile);
  expect(TEXT).toContain('+\ufffd[2Jone\ufffd');
});

test('any comment on any line comes back as it was, or is refused', () => {
  const line = fc.string({ maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, ''));
  const hunk = fc.array(fc.tuple(fc.constantFrom(' ', '+', '-'), line), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(hunk, fc.nat(), line, (rows, at, words) => {
      const files = [
        { path: 'f', hunks: [{ oldStart: 1, newStart: 1, lines: rows.map(([sign, text]) => sign + text) }] },
      ];
      const text = reviewText(files, [], []).replace(/\n$/, '').split('\n');
      const head = text.length - rows.length;
      const place = at % rows.length;
      const whole = [...text.slice(0, head + place + 1), `> x${words}`, ...text.slice(head + place + 1)].join('\n');
      const [comment, ...more] = readReviewText(whole, files);
      expect(more).toEqual([]);
      expect(comment?.text).toBe(`x${words}`.trim());
      const numbers = rows
        .slice(0, place + 1)
        .filter(([sign]) => sign !== (comment?.side === 'old' ? '+' : '-')).length;
      expect(comment?.start).toBe(numbers);
    }),
    {
      examples: [
        [
          [
            [' ', ''],
            ['+', ''],
          ],
          0,
          '',
        ],
      ],
    },
  );
});

test('one message, in the order of the files, with a fence that the code cannot end', () => {
  const base = { side: 'new', turn: 3 } as const;
  const message = reviewMessage([
    { ...base, path: 'b', start: 7, end: 8, quote: ['+```', ' x'], text: 'Second.\u001b[2J' },
    {
      ...base,
      path: 'a',
      start: 1,
      end: 1,
      quote: Array.from({ length: 40 }, (_, index) => `+${index}`),
      text: 'First.',
    },
  ]);
  expect(message).toContain('I reviewed your changes up to turn 3 and have 2 comments.');
  expect(message.indexOf('1. a, line 1')).toBeLessThan(message.indexOf('2. b, lines 7 to 8'));
  expect(message).toContain('… 10 more lines');
  expect(message).toContain('````diff\n+```\n x\n````\n\nSecond.\ufffd[2J');
});
