/** Colours in the middle of a secret hide it from nobody who takes them away, so they hide it from no rule either. */
import { expect, test } from 'vitest';
import type { Draft } from '../../src/event/index.js';
import { createColourless, createGuard, createRedactor } from '../../src/guard/index.js';

const TOKEN = `ghp_${'a1B2c3D4'.repeat(5)}`;
/** As `grep --color` marks what it looked for. */
const MARKED = `x \u001b[01;31m\u001b[K${TOKEN.slice(0, 6)}\u001b[m\u001b[K${TOKEN.slice(6)} y`;
const turn = 1;

test('in the output of a call', () => {
  const end: Draft = { type: 'tool-end', id: 't', status: 'ok', output: MARKED, turn };
  expect(createGuard().pass(end)).toEqual([{ ...end, output: 'x [redacted:github-token] y' }]);
  expect(createGuard({ redact: false }).pass(end)).toEqual([end]);
});

test('an output without a secret keeps its colours', () => {
  const end: Draft = { type: 'tool-end', id: 't', status: 'ok', output: '\u001b[31mred\u001b[0m', turn };
  expect(createGuard().pass(end)[0]).toBe(end);
});

test('in an output that arrives, wherever it is cut', () => {
  for (let at = 1; at < MARKED.length; at += 1) {
    const guard = createGuard();
    const pieces = [MARKED.slice(0, at), MARKED.slice(at)];
    const passed = [
      ...pieces.flatMap((text) => guard.pass({ type: 'tool-output-delta', id: 't', text, turn })),
      ...guard.pass({ type: 'tool-end', id: 't', status: 'ok', turn }),
    ];
    const text = passed.map((draft) => ('text' in draft ? draft.text : '')).join('');
    expect(text, String(at)).toBe('x [redacted:github-token] y');
  }
});

test('letter by letter, and what only begins like a colour stays', () => {
  const redactor = createColourless(createRedactor());
  const shown = [...`${MARKED}\u001b[2Jz\u001b[3`].map((letter) => redactor.push(letter)).join('') + redactor.end('1');
  expect(shown).toBe('x [redacted:github-token] y\u001b[2Jz\u001b[31');
});
