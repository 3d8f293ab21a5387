/** `glassbox search` shows hits in their lines, fitted to the terminal, with the words in sight. */
import stringWidth from 'fast-string-width';
import { describe, expect, test } from 'vitest';
import { hitLine } from '../../src/cli/command/search/hit-line.js';
import { stamp } from '../../src/store/conformance/events.js';
import { openStore } from '../../src/store/index.js';
import { makeSnippet } from '../../src/store/snippet.js';
import { parseTerms } from '../../src/store/words.js';
import { newStore, openTerminal } from './fake-run.js';

const mark = (style: string, text: string) => (style === 'notice' ? `[${text}]` : text);
const plain = (_: string, text: string) => text;

describe('a hit', () => {
  const around = (text: string, room: number, paint = mark) =>
    hitLine(makeSnippet(text, parseTerms('needle')), paint, room);

  test.each([
    ['that fits', 'a needle here', 20, 'a [needle] here'],
    ['at the beginning', `needle ${'more '.repeat(9)}`, 20, '[needle] more more mo…'],
    ['far to the right', `${'before '.repeat(5)} needle and more`, 20, '…fore [needle] and mo…'],
    ['in its line', `${'before '.repeat(50)}\nthe needle\nafter`, 20, 'the [needle]'],
    ['beside wide characters', `${'世界'.repeat(9)} needle`, 20, '…世界 [needle]'],
  ])('%s', (_, text, room, expected) => {
    expect(around(text, room)).toBe(expected);
  });

  test.each([12, 30, 44, 80])('never takes more than %i columns, and shows the word', (room) => {
    for (const before of ['', 'x '.repeat(40), '世'.repeat(30), '\x1b[31mred\x1b[0m '.repeat(9)]) {
      const line = around(`${before}needle ${'y'.repeat(300)}`, room, plain);
      expect(stringWidth(line)).toBeLessThanOrEqual(room);
      expect(line).toContain('needle');
    }
  });
});

test('on a terminal no row is wider than it, and the same line is told once', async () => {
  const env = { GLASSBOX_STORE: newStore() };
  const store = await openStore(env.GLASSBOX_STORE);
  const text = `# A head\n\n${'word '.repeat(30)} quokka ${'word '.repeat(30)}\n- quoll`;
  await store.append(
    stamp({ runId: 'r' }, [
      { type: 'user-message', text: `A prompt that is much longer than the terminal is wide, ${'and '.repeat(20)}on` },
      { type: 'text-end', messageId: 'a', index: 0, text },
      { type: 'text-end', messageId: 'b', index: 0, text },
      { type: 'tool-end', id: 't', name: 'mcp__a_server_with_a_long_name__a_tool', status: 'ok', output: 'the quokka' },
    ]),
  );
  await store.close();
  const screen = openTerminal(['search', 'quokka'], [], { env, isAlone: true, columns: 44 });
  expect(await screen.ended).toBe(0);
  const rows = screen.text().split(/\r?\n/);
  expect(rows.filter((row) => stringWidth(row) > 44)).toEqual([]);
  expect(rows.filter((row) => row.includes('quokka') && row.includes('word'))).toHaveLength(1);
  expect(screen.text()).not.toContain('# A head');
});
