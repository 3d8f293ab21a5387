/** The hostile lines themselves: each asks what it says it asks, of every agent's words, and glassbox passes them in any pieces. */
import { describe, expect, test } from 'vitest';
import type { Protocol } from '../../src/agent/index.js';
import { hostileCases, STREAM_FRAMES } from '../../src/conform/index.js';
import { scoreReport } from '../../src/conform/score.js';
import { createPipeline, detectAgent, requireAgent } from '../../src/decode/index.js';

const sizes = { longBytes: 2 ** 21, hugeBytes: 3 * 2 ** 21 };

describe.each(STREAM_FRAMES)('in the words of $agent', (speech) => {
  test('they are recognised, and understood', () => {
    expect(detectAgent(speech.before)).toBe(speech.agent);
    const { events } = read(speech.agent, [lines([...speech.before, speech.say('hello', 1), ...speech.after])]);
    expect(events.filter(({ type }) => type === 'unknown' || type === 'decode-error')).toEqual([]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'text-end', text: 'hello' }));
  });

  test.each(hostileCases(speech, sizes))('$name passes, whole and in pieces', (each) => {
    const stream = each.make();
    for (const size of [stream.bytes.length, 4_093]) {
      const { items, errors } = read(speech.agent, pieces(stream.bytes, size));
      expect(scoreReport({ items, errors, end: 'read' }, stream)).toMatchObject({ verdict: 'passed', lost: 0 });
    }
  });

  test.each(hostileCases(speech, sizes))('$name has good lines around what is odd', (each) => {
    const { good } = each.make();
    expect(good.length).toBeGreaterThan(speech.before.length + speech.after.length + 1);
    expect(scoreReport({ items: good.slice(1), errors: 0, end: 'read' }, { ...each.make() }).verdict).toBe('lost');
  });
});

test('every speech gives the same cases', () => {
  const names = STREAM_FRAMES.map((speech) => hostileCases(speech).map(({ name, row }) => `${name} ${row}`));
  for (const each of names) expect(each).toEqual(names[0]);
  expect(names[0]).toContain('lines/long a line of 8 MB');
  expect(names[0]).toContain('lines/huge lines around one of 32 MB');
});

function read(name: string, chunks: Uint8Array[]) {
  const agent = requireAgent(name);
  const items: unknown[] = [];
  const createProtocol = (): Protocol => {
    const protocol = agent.createProtocol();
    return {
      ...protocol,
      receive(value, bytes) {
        items.push(value);
        return protocol.receive(value, bytes);
      },
    };
  };
  const pipeline = createPipeline({ agent: { ...agent, createProtocol } });
  const events = [...chunks.flatMap((bytes) => pipeline.push(bytes).events), ...pipeline.end().events];
  return { items, events, errors: events.filter(({ type }) => type === 'decode-error').length };
}

function lines(values: readonly object[]): Uint8Array {
  return Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

function pieces(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}
