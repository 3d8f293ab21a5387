import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../src/agent/index.js';
import { createDecoder } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { everySplit, toBytes } from '../support/chunking.js';
import { ownRecordings } from '../support/recordings.js';
import { toyAgent } from '../support/toy-agent.js';

const options = { runId: 'r', now: () => 0 };
const recordings = ownRecordings().filter(({ agent }) => AGENTS.some(({ name }) => name === agent));

describe('bytes and text', () => {
  const text = '{"say":"żółć 👩‍👩‍👧"}\n{"tool":"t"}\nnoise\n{"say":"last"}';
  const whole = decodeAll(toyAgent, [text]);

  test('S1-12 one line gives no, one or several events', () => {
    expect(whole.map(({ type }) => type)).toEqual([
      'text-end',
      'tool-start',
      'decode-error',
      'text-end',
      'tool-end',
      'turn-end',
    ]);
  });

  test('S1-37, S3-03 are the same at every split, of bytes and of text', () => {
    for (const pieces of everySplit(toBytes(text))) expect(decodeAll(toyAgent, pieces)).toEqual(whole);
    for (let at = 0; at <= text.length; at++) {
      expect(decodeAll(toyAgent, [text.slice(0, at), text.slice(at)])).toEqual(whole);
    }
    expect(decodeAll(toyAgent, text.split(''))).toEqual(whole);
  });

  test('S2-04, S2-08 events come as soon as their line is complete', () => {
    const decoder = createDecoder(toyAgent);
    expect(decoder.push('{"say":"a"}')).toEqual([]);
    expect(decoder.push('\n{"s')).toMatchObject([{ type: 'text-end', text: 'a' }]);
    expect(decoder.push('ay":"b"}\n')).toMatchObject([{ type: 'text-end', text: 'b' }]);
  });

  test('half a surrogate pair at the very end is not lost', () => {
    expect(decodeAll(toyAgent, ['{"say":"a"}\ud83d'])[0]).toMatchObject({ type: 'decode-error', cut: true });
  });

  test('options reach the lines: a refused limit is heard', () => {
    expect(() => createDecoder(toyAgent, { maxLineBytes: 5 })).toThrow(/at least 1048576/);
  });
});

describe.each(AGENTS.map(({ name }) => name))('hostile input to %s', (agent) => {
  test('values nested so deep that recursion would fail', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"type":', '}'],
      ['[{"type":"assistant","message":', '}]'],
    ] as const) {
      survive(agent, `${open.repeat(100_000)}0${close.repeat(100_000)}\n`);
    }
  });
});

describe.each([...new Set(recordings.map(({ agent }) => agent))])('recordings of %s', (agent) => {
  test('with any word replaced by a name that every object has', () => {
    const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
    for (const [index, { word, text }] of shortestWith(agent).entries()) {
      survive(agent, text.replaceAll(`"${word}"`, `"${names[index % names.length]}"`));
    }
  });
});

function decodeAll(agent: Parameters<typeof createDecoder>[0], pieces: (Uint8Array | string)[]): AgentEvent[] {
  const decoder = createDecoder(agent, options);
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.end()];
}

/** Nothing is thrown, and every event is plain data: no function of `Object.prototype` came out of a table. */
function survive(agent: string, output: Uint8Array | string): void {
  structuredClone(decodeAll(agent, [output]));
}

/** Every word that stands for itself as the value of a key, with the shortest recording that has it. */
function shortestWith(agent: string): { word: string; text: string }[] {
  const texts = recordings
    .filter((recording) => recording.agent === agent)
    .map(({ stdout }) => Buffer.from(stdout).toString())
    .sort((a, b) => b.length - a.length);
  const found = new Map(texts.flatMap((text) => valuesOf(text).map((word) => [word, text] as const)));
  return [...found].map(([word, text]) => ({ word, text }));
}

function valuesOf(text: string): string[] {
  return ['type', ...(text.match(/(?<=":")[a-z_A-Z]{2,30}(?=")/g) ?? [])];
}
