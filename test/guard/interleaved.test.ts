/** Several texts arrive at once: each is held and released by itself, and thousands of them cost no more than one each. */
import { describe, expect, test } from 'vitest';
import type { Draft } from '../../src/event/index.js';
import { createGuard } from '../../src/guard/index.js';

const KEY = `sk-ant-${'api03'}-${'x1Y2z3'.repeat(10)}`;
const HIDDEN = '[redacted:anthropic-key]';
const [HEAD, TAIL] = [KEY.slice(0, 12), KEY.slice(12)];
const turn = 1;

const text = (messageId: string, words: string, index = 0): Draft => ({
  type: 'text-delta',
  messageId,
  index,
  text: words,
  turn,
});
const thinking = (messageId: string, words: string, index = 0): Draft => ({
  type: 'thinking-delta',
  messageId,
  index,
  text: words,
  turn,
});
const input = (id: string, words: string): Draft => ({ type: 'tool-input-delta', id, text: words, turn });
const output = (id: string, words: string, stream: 'stdout' | 'stderr' = 'stdout'): Draft => ({
  type: 'tool-output-delta',
  id,
  text: words,
  stream,
  turn,
});

const textEnd = (messageId: string, index = 0): Draft => ({ type: 'text-end', messageId, index, text: '', turn });
const thinkingEnd = (messageId: string, index = 0): Draft => ({
  type: 'thinking-end',
  messageId,
  index,
  text: '',
  turn,
});
const messageEnd = (messageId: string): Draft => ({ type: 'message-end', messageId, turn });
const retract = (messageId: string, index?: number): Draft => ({
  type: 'message-retract',
  messageId,
  why: 'superseded',
  turn,
  ...(index !== undefined && { index }),
});
const inputEnd = (id: string): Draft => ({ type: 'tool-input-end', id, input: {}, summary: '', turn });
const toolEnd = (id: string): Draft => ({ type: 'tool-end', id, status: 'ok', output: '', turn });

/** The same block, twice, and the end of another one in between. */
describe('the end of one text does not release another', () => {
  test.each<[string, (words: string) => Draft, Draft]>([
    ['a text, the text of another message', (words) => text('a', words), textEnd('b')],
    ['a text, another text of its message', (words) => text('a', words), textEnd('a', 1)],
    ['a text, a thinking at its place', (words) => text('a', words), thinkingEnd('a')],
    ['a thinking, a text at its place', (words) => thinking('a', words), textEnd('a')],
    ['a thinking, the thinking of another message', (words) => thinking('a', words), thinkingEnd('b')],
    ['a text, another message', (words) => text('a', words), messageEnd('b')],
    ['a text, another message that is retracted', (words) => text('a', words), retract('b')],
    ['a text, another text that is retracted', (words) => text('a', words), retract('a', 1)],
    ['a text, a tool of the same id', (words) => text('a', words), toolEnd('a')],
    ['an input, the input of another tool', (words) => input('a', words), inputEnd('b')],
    ['an input, another tool', (words) => input('a', words), toolEnd('b')],
    ['an input, a message of the same id', (words) => input('a', words), messageEnd('a')],
    ['an output, the input of its tool', (words) => output('a', words), inputEnd('a')],
    ['an output, another tool', (words) => output('a', words), toolEnd('b')],
  ])('%s', (_, delta, end) => {
    const guard = createGuard();
    const seen = [delta(HEAD), end, delta(`${TAIL} `)].flatMap((draft) => guard.pass(draft));
    expect(textOf(seen)).toBe(`${HIDDEN} `);
  });
});

describe('secrets that arrive in turns are all caught', () => {
  test.each<[string, (name: string, words: string) => Draft]>([
    ['inputs of two tools', input],
    ['outputs of two tools', output],
    ['two streams of one tool', (name, words) => output('t', words, name === 'a' ? 'stdout' : 'stderr')],
    ['texts of two messages', text],
    ['thinkings of two messages', thinking],
    ['two texts of one message', (name, words) => text('m', words, name === 'a' ? 0 : 1)],
    ['a text and a thinking', (name, words) => (name === 'a' ? text : thinking)('m', words)],
    ['a text and an input', (name, words) => (name === 'a' ? text : input)('m', words)],
  ])('%s, character by character', (_, delta) => {
    const guard = createGuard();
    const letters = [...`${KEY} `].flatMap((letter) => [delta('a', letter), delta('b', letter)]);
    const seen = [...letters.flatMap((draft) => guard.pass(draft)), ...guard.end()];
    expect(textOf(seen)).toBe(`${HIDDEN}${HIDDEN}  `);
  });
});

test.each<[string, (name: string) => Draft, (name: string) => Draft]>([
  ['texts of messages', (name) => text(name, 's'), (name) => textEnd(name)],
  ['texts of one message', (name) => text('m', 's', Number(name)), (name) => textEnd('m', Number(name))],
  ['messages', (name) => text(name, 's'), messageEnd],
  ['inputs of tools', (name) => input(name, '"s'), inputEnd],
  ['outputs of tools', (name) => output(name, 's'), toolEnd],
])('many open at once cost as little as few: %s', (_, delta, end) => {
  const reads = (count: number) => {
    const guard = createGuard();
    let read = 0;
    // Whoever looks for the blocks that end has to ask each block that it considers who it is.
    const counted = (draft: Draft) =>
      new Proxy(draft, {
        get(target, name, self) {
          read++;
          return Reflect.get(target, name, self);
        },
      });
    const names = Array.from({ length: count }, (_, number) => String(number));
    for (const name of names) guard.pass(counted(delta(name)));
    for (const name of names) expect(guard.pass(end(name)).length).toBe(2);
    return read;
  };
  expect(reads(400)).toBeLessThanOrEqual(reads(100) * 5);
});

function textOf(drafts: readonly Draft[]): string {
  return drafts.map((draft) => ('text' in draft ? draft.text : '')).join('');
}
