/** How moments and tables are written and read. */
import { describe, expect, test } from 'vitest';
import { table } from '../../src/cli/print/table.js';
import { formatAgo, parseMoment } from '../../src/client/moment.js';
import { createPaint } from '../../src/view/text/palette.js';

describe('how moments and tables are written', () => {
  const now = new Date(2026, 0, 31, 12).getTime();
  test.each([
    ['today', new Date(2026, 0, 31)],
    ['yesterday', new Date(2026, 0, 30)],
    ['2026-01-15', new Date(2026, 0, 15)],
    ['2026-01-15T10:30', new Date(2026, 0, 15, 10, 30)],
    ['24h', new Date(2026, 0, 30, 12)],
    ['7d', new Date(2026, 0, 24, 12)],
  ])('%s', (written, expected) => {
    expect(parseMoment(written, now)).toBe(expected.getTime());
  });

  test.each(['soon', '7', '31.1.2026', '2026-13-01'])('%s is no moment', (written) => {
    expect(() => parseMoment(written, now)).toThrow(/2026-01-31, today/);
  });

  test.each([
    [new Date(2026, 0, 31, 11, 59, 30), 'now'],
    [new Date(2026, 0, 31, 11, 15), '45 min ago'],
    [new Date(2026, 0, 31, 3), '9 h ago'],
    [new Date(2026, 0, 30, 23), 'yesterday'],
    [new Date(2026, 0, 28, 1), '3 days ago'],
    [new Date(2025, 11, 1), '2025-12-01'],
  ])('%s is %s', (at, expected) => {
    expect(formatAgo(at.getTime(), now)).toBe(expected);
  });

  test('columns are as wide as they must be, wide letters count, and the last is cut to the terminal', () => {
    const rows = [
      [{ text: 'a' }, { text: '1', right: true }, { text: 'a long line that does not fit' }],
      [{ text: '漢字' }, { text: '200', right: true }, { text: 'short' }],
    ];
    expect(table(rows, createPaint(false), 30)).toEqual(['a       1  a long line that d…', '漢字  200  short']);
  });
});
