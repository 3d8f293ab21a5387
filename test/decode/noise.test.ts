import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDecoder } from '../../src/decode/index.js';
import { type AgentEvent, lineCount } from '../../src/event/index.js';
import { initialState, reduce, selectRun } from '../../src/session/index.js';
import { isBeginning } from '../../src/store/beginning.js';
import { eventText } from '../../src/word/index.js';
import { toyAgent } from '../support/toy-agent.js';

const GARBAGE = 'garbage\n';
const ODD = '{}\n';
const SAID = '{"say":"a"}\n';

test('the first lines that say nothing are told one by one, the others are counted, and nothing of their neighbours changes', () => {
  const events = decode([GARBAGE.repeat(1000), SAID, GARBAGE, SAID]);
  const noise = events.filter(({ type }) => type === 'decode-error');
  expect(noise).toHaveLength(22);
  expect(noise[19]).toMatchObject({ line: 20, bytes: 7 });
  expect(noise[19]).not.toHaveProperty('count');
  expect(noise[20]).toMatchObject({ code: 'json_parse', line: 21, bytes: 7 * 980, count: 980 });
  expect(noise[21]).toMatchObject({ line: 1002 });
  expect(noise[21]).not.toHaveProperty('count');
  expect(events.findIndex(({ type }) => type === 'text-end')).toBe(21);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
});

test('many are told while they come, and those that wait are told at the end', () => {
  const decoder = createDecoder('claude');
  expect(decoder.push(ODD.repeat(25_020)).map(lineCountOf)).toEqual([...Array(20).fill(1), 10_000, 10_000]);
  expect(decoder.push(ODD)).toEqual([]);
  expect(decoder.end()).toMatchObject([{ type: 'unknown', wireType: 'object', count: 5001, bytes: 2 * 5001 }]);
});

test('lines of several kinds are counted by kind, and a stream of endless kinds grows nothing', () => {
  const mixed = decode([(GARBAGE + ODD).repeat(500)], 'claude');
  expect(mixed).toHaveLength(22);
  const [unread, unknown] = mixed.slice(20);
  expect(unread).toMatchObject({ type: 'decode-error', line: 21, count: 490 });
  expect(unknown).toMatchObject({ type: 'unknown', count: 490 });
  const endless = Array.from({ length: 1000 }, (_, index) => `{"type":"t${index}"}\n`);
  expect(total(decode(endless, 'claude'))).toBe(1000);
});

test('a line that the input ended in is told by itself', () => {
  const events = decode([`${GARBAGE.repeat(30)}garb`]).filter(({ type }) => type === 'decode-error');
  expect(events.slice(20)).toMatchObject([{ count: 10 }, { cut: true, bytes: 4 }]);
});

test('who wants each line gets each', () => {
  for (const options of [{ raw: true }, { countNoise: false }]) {
    const decoder = createDecoder('claude', options);
    expect(decoder.push(ODD.repeat(100))).toHaveLength(100);
  }
});

const row = fc.tuple(fc.constantFrom(GARBAGE, ODD, SAID, '{"type":"x"}\n', '\n'), fc.nat({ max: 60 }));
const text = fc.array(row, { maxLength: 6 }).map((rows) => rows.map(([line, times]) => line.repeat(times)).join(''));

describe('any rows', () => {
  test('however they are cut, the same events, and no line is lost from the counts', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat()), (all, at) => {
        const cuts = at.map((place) => place % (all.length + 1)).sort((a, b) => a - b);
        const pieces = [0, ...cuts].map((from, index) => all.slice(from, cuts[index]));
        const whole = decode([all]);
        expect(decode(pieces)).toEqual(whole);
        expect(total(whole)).toBe(all.split('\n').filter((line) => line !== '' && !line.includes('say')).length);
      }),
    );
  });

  test('a part of a stream is its beginning, also when it ends among them', () => {
    fc.assert(
      fc.property(text, fc.nat(), (all, at) => {
        const part = decode([all.slice(0, at % (all.length + 1))]);
        const printed = part.filter(({ source }) => source !== 'synthetic');
        expect(isBeginning(part, decode([`${all}${SAID}`]))).toBe(printed.length > 0);
      }),
    );
  });
});

test('what is shown and counted of them is how many they are', () => {
  const state = decode([GARBAGE.repeat(1500), ODD.repeat(1500)], 'claude').reduce(reduce, initialState);
  const counters = selectRun(state)?.counters;
  expect(counters).toMatchObject({ decodeErrors: 1500, unknown: [{ wireType: 'object', count: 1500 }] });
  const words = decode([GARBAGE.repeat(1500), ODD.repeat(1500)], 'claude')
    .slice(20)
    .map((event) => eventText(event));
  expect(words).toEqual([
    '1,480 unreadable lines from line 21 on (json_parse, 10360 bytes)',
    'unknown message type: object (1,500 lines)',
  ]);
});

function decode(pieces: readonly string[], agent: Parameters<typeof createDecoder>[0] = toyAgent): AgentEvent[] {
  const decoder = createDecoder(agent, { runId: 'r', now: () => 0 });
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.end()];
}

function lineCountOf(event: AgentEvent): number {
  return event.type === 'decode-error' || event.type === 'unknown' ? lineCount(event) : 0;
}

function total(events: readonly AgentEvent[]): number {
  return events.reduce((sum, event) => sum + lineCountOf(event), 0);
}
