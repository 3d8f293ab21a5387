import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../src/agent/index.js';
import { createDecoder } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { anyChunking, everySplit, toBytes } from '../support/chunking.js';
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

describe('recordings', () => {
  test('are there', () => expect(recordings.length).toBeGreaterThan(50));

  test.each(recordings)('$name: any chunking gives the same events', ({ agent, stdout }) => {
    const whole = decodeAll(agent, [stdout]);
    expect(whole.map(({ seq }) => seq)).toEqual(whole.map((_, index) => index + 1));
    fc.assert(
      fc.property(anyChunking(stdout), (pieces) => {
        expect(decodeAll(agent, pieces)).toEqual(whole);
      }),
      { numRuns: 4 },
    );
  });

  test('any prefix is read and closed without throwing', () => {
    const cutSomewhere = fc
      .constantFrom(...recordings)
      .chain(({ agent, stdout }) => fc.nat(stdout.length).map((end) => ({ agent, prefix: stdout.subarray(0, end) })));
    fc.assert(
      fc.property(cutSomewhere, ({ agent, prefix }) => {
        const events = decodeAll(agent, [prefix]);
        expect(events.filter(({ type }) => type === 'tool-start').length).toBeLessThanOrEqual(
          new Set(events.flatMap((event) => (event.type === 'tool-end' ? [event.id] : []))).size,
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe.each(AGENTS.map(({ name }) => name))('hostile input to %s', (agent) => {
  test('random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => survive(agent, bytes)));
  });

  test('values nested so deep that recursion would fail', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"type":', '}'],
      ['[{"type":"assistant","message":', '}]'],
    ] as const) {
      survive(agent, `${open.repeat(100_000)}0${close.repeat(100_000)}\n`);
    }
  });

  test('random JSON values', () => {
    fc.assert(fc.property(fc.array(fc.jsonValue()), (values) => survive(agent, values.map(toLine).join(''))));
  });
});

describe.each([...new Set(recordings.map(({ agent }) => agent))])('mutated recordings of %s', (agent) => {
  const own = recordings.filter((recording) => recording.agent === agent);
  const words = [...new Set(own.flatMap(({ stdout }) => wordsOf(Buffer.from(stdout).toString())))];

  test('random values made of the words that it uses itself', () => {
    const word = fc.constantFrom(...words, 'toString', '__proto__', 'constructor');
    const { value } = fc.letrec((tie) => ({
      leaf: fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null), fc.constant('')),
      value: fc.oneof({ depthSize: 'small' }, tie('leaf'), fc.array(tie('value'), { maxLength: 3 }), tie('object')),
      object: fc.dictionary(word, tie('value'), { maxKeys: 6 }),
    }));
    fc.assert(fc.property(fc.array(value, { maxLength: 5 }), (values) => survive(agent, values.map(toLine).join(''))));
  });

  test('recordings with a word replaced by a name that every object has', () => {
    const replaced = fc
      .constantFrom(...own)
      .map(({ stdout }) => Buffer.from(stdout).toString())
      .chain((text) => fc.constantFrom('type', ...valuesOf(text)).map((word) => ({ text, word })));
    const names = fc.constantFrom('constructor', 'toString', '__proto__', 'hasOwnProperty');
    fc.assert(
      fc.property(replaced, names, ({ text, word }, name) => survive(agent, text.replaceAll(`"${word}"`, `"${name}"`))),
      { numRuns: 300 },
    );
  });

  test('recordings with bytes changed, lines dropped, doubled and swapped', () => {
    const mutation = fc.record({
      at: fc.nat(),
      byte: fc.nat(255),
      kind: fc.constantFrom('byte', 'drop', 'double', 'swap'),
    });
    const mutated = fc.tuple(fc.constantFrom(...own), fc.array(mutation, { minLength: 1, maxLength: 6 }));
    fc.assert(
      fc.property(mutated, ([{ stdout }, mutations]) => {
        const lines = Buffer.from(stdout).toString('latin1').split('\n');
        for (const { at, byte, kind } of mutations) {
          const index = at % lines.length;
          const line = lines[index] ?? '';
          if (kind === 'byte') lines[index] = replaceAt(line, at % (line.length + 1), String.fromCharCode(byte));
          else if (kind === 'drop') lines.splice(index, 1);
          else if (kind === 'double') lines.splice(index, 0, line);
          else lines.push(...lines.splice(index, 1));
        }
        survive(agent, Buffer.from(lines.join('\n'), 'latin1'));
      }),
      { numRuns: 150 },
    );
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

function toLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

function wordsOf(text: string): string[] {
  return text.match(/(?<=")[a-z_A-Z]{2,30}(?=")/g) ?? [];
}

/** Words that stand for themselves as the value of a key. */
function valuesOf(text: string): string[] {
  return [...new Set(text.match(/(?<=":")[a-z_A-Z]{2,30}(?=")/g) ?? [])];
}

function replaceAt(text: string, at: number, character: string): string {
  return text.slice(0, at) + character + text.slice(at + 1);
}
