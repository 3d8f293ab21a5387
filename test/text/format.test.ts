import { describe, expect, test } from 'vitest';
import { createFormatter, type FormatOptions } from '../../src/view/text/format.js';
import { isError, type Said, type StreamEvent } from '../../src/view/text/stream-event.js';

const event = (said: Said): StreamEvent => ({ ...said, at: 0, depth: 0 }) as StreamEvent;
const line = (said: Said, options: Partial<FormatOptions> = {}) =>
  createFormatter({ agentName: 'claude', ...options }).format(event(said));

const start: Said = { kind: 'ToolStart', toolId: 't', toolName: 'Read', toolInput: 'src/a.ts' };
const failed: Said = { kind: 'ToolEnd', toolId: 't', toolError: 'File not found' };
const ended: Said = { kind: 'ToolEnd', toolId: 't', toolOutput: 'ok' };
const result: Said = { kind: 'Result', isComplete: true, outcome: 'success', cost: 0.015, tools: 0, errors: 0 };
const text = (words: string): Said => ({ kind: 'Text', text: words });

describe('S1-51 each line to the letter', () => {
  test.each<[string, Said, Partial<FormatOptions>, string]>([
    ['S1-27, S1-28 a tool', start, {}, '[claude] Read: src/a.ts\n'],
    ['S1-28 a tool without input', { ...start, toolInput: '' }, {}, '[claude] Read\n'],
    ['S1-29 an error', failed, {}, '[claude] ERROR: File not found\n'],
    ['S1-30 a success says nothing', ended, {}, ''],
    ['S1-30 but with verbose', ended, { verbose: true }, '[claude]   -> ok\n'],
    ['S1-30 nothing to say even then', { ...ended, toolOutput: '' }, { verbose: true }, ''],
    ['S1-31 a text', text('hello'), {}, '[claude] "hello"\n'],
    ['S1-31 the first line', text('first\nsecond'), {}, '[claude] "first"\n'],
    ['S1-31 cut to 80', text('x'.repeat(81)), {}, `[claude] "${'x'.repeat(77)}..."\n`],
    ['S1-31 exactly 80', text('x'.repeat(80)), {}, `[claude] "${'x'.repeat(80)}"\n`],
    ['S1-31 quotes and backslashes are escaped', text('say "a\\b"\tnow'), {}, '[claude] "say \\"a\\\\b\\"\\tnow"\n'],
    ['S1-31 no text', text(''), {}, ''],
    ['S1-25 text off', text('hello'), { showText: false }, ''],
    ['S1-32 a result', result, {}, '[claude] Complete (cost: $0.0150)\n'],
    ['S1-33 progress is off', { kind: 'Progress', text: 'session: s1' }, {}, ''],
    ['S1-33 and on', { kind: 'Progress', text: 'session: s1' }, { progress: true }, '[claude] session: s1\n'],
    [
      'S1-33 unknown too',
      { kind: 'Unknown', text: 'unknown message type: x' },
      { progress: true },
      '[claude] unknown message type: x\n',
    ],
    [
      'U-1.3 todos',
      { kind: 'Todo', todos: [{ text: 'a', status: 'done' }] },
      { verbose: true },
      '[claude] todo: 1 of 1 done\n',
    ],
    ['thinking is off', { kind: 'Thinking', text: 'hm' }, {}, ''],
    ['and on', { kind: 'Thinking', text: 'hm' }, { thinking: true }, '[claude] Thinking: "hm"\n'],
  ])('%s', (_name, said, options, expected) => {
    expect(line(said, options)).toBe(expected);
  });

  test('S1-34 no event, no line', () => {
    const formatter = createFormatter({ agentName: 'claude' });
    expect([formatter.format(null), formatter.format(undefined)]).toEqual(['', '']);
  });

  test('S1-11 an error is a tool end with an error', () => {
    expect([start, ended, failed, { ...failed, toolError: '' } as Said].map((said) => isError(event(said)))).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });
});

describe('S1-26 colours', () => {
  test.each<[string, Said, string]>([
    ['prefix cyan, tool yellow', start, '\x1b[36m[claude]\x1b[39m \x1b[33mRead\x1b[39m: src/a.ts\n'],
    ['text white', text('hi'), '\x1b[36m[claude]\x1b[39m \x1b[37m"hi"\x1b[39m\n'],
    ['error red and bold', failed, '\x1b[36m[claude]\x1b[39m \x1b[1;31mERROR: File not found\x1b[22;39m\n'],
    ['result green', result, '\x1b[36m[claude]\x1b[39m \x1b[32mComplete (cost: $0.0150)\x1b[39m\n'],
    [
      'an interrupt is no error',
      { ...result, outcome: 'interrupted', error: 'Interrupted.' } as Said,
      '\x1b[36m[claude]\x1b[39m \x1b[1;33mInterrupted (cost: $0.0150)\x1b[22;39m\n',
    ],
  ])('%s', (_name, said, expected) => {
    expect(line(said, { color: true })).toBe(expected);
  });

  test('none at all when colour is off', () => {
    expect([start, failed, result, text('hi')].map((said) => line(said)).join('')).not.toContain('\x1b');
  });
});

describe('narrow terminals', () => {
  test.each<[string, string, number, number, string[]]>([
    ['what fits is left alone', 'short text', 40, 0, ['[claude] "short text"']],
    [
      'a long line is broken at spaces, under its first word',
      'The quick brown fox jumps over the lazy dog',
      40,
      0,
      ['[claude] "The quick brown fox jumps over', '         the lazy dog"'],
    ],
    [
      'a word that is too long is left to the terminal',
      `see ${'x'.repeat(50)} there`,
      40,
      0,
      ['[claude] "see', `         ${'x'.repeat(50)}`, '         there"'],
    ],
    [
      'sub-agents keep their indentation',
      'The quick brown fox jumps over the lazy dog',
      40,
      1,
      ['[claude]   "The quick brown fox jumps', '           over the lazy dog"'],
    ],
    [
      'wide characters count twice',
      '日本語 日本語 日本語 日本語 日本語',
      30,
      0,
      ['[claude] "日本語 日本語 日本語', '         日本語 日本語"'],
    ],
    ['too narrow to help: left alone', 'The quick brown fox jumps', 20, 0, ['[claude] "The quick brown fox jumps"']],
  ])('%s', (_name, words, width, depth, rows) => {
    const formatter = createFormatter({ agentName: 'claude', width });
    expect(formatter.format({ kind: 'Text', text: words, at: 0, depth }).split('\n').slice(0, -1)).toEqual(rows);
  });

  test('colour does not change the breaks', () => {
    const words = text('The quick brown fox jumps over the lazy dog');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken away
    expect(line(words, { width: 40, color: true }).replace(/\x1b\[[\d;]*m/g, '')).toBe(line(words, { width: 40 }));
  });
});
