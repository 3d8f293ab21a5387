import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../src/event/index.js';
import { createCoalescer } from '../../src/store/coalesce.js';
import { stamp } from '../../src/store/conformance/events.js';

const block = { messageId: 'm', index: 0 };
const delta = (text: string, index = 0) => ({ type: 'text-delta', messageId: 'm', index, text }) as const;
const end = (text: string) => ({ type: 'text-end', ...block, text }) as const;
const other = { type: 'status', code: 'x' } as const;
const TAKE = 'take';

/** `type from-to text` of what is kept when batches are written one after the other, a later one replacing what it covers. */
function kept(steps: (Parameters<typeof stamp>[1][number] | typeof TAKE)[]): string[] {
  const coalescer = createCoalescer();
  let file: AgentEvent[] = [];
  const write = () => {
    for (const event of coalescer.take()) {
      file = file.filter(({ seq }) => seq < (event.fromSeq ?? event.seq));
      file.push(event);
    }
  };
  const events = stamp(
    { runId: 'r' },
    steps.filter((step) => step !== TAKE),
  );
  for (const step of steps) {
    if (step === TAKE) write();
    else coalescer.add(events.shift() as AgentEvent);
  }
  write();
  return file.map((event) => {
    const text = 'text' in event ? ` ${event.text}` : '';
    return `${event.type} ${event.fromSeq ?? event.seq}-${event.seq}${text}`;
  });
}

describe('coalescing', () => {
  test.each([
    ['neighbours become one', [delta('a'), delta('b'), delta('c')], ['text-delta 1-3 abc']],
    ['the end replaces them', [delta('a'), delta('b'), end('ab')], ['text-end 1-3 ab']],
    ['also those that were written', [delta('a'), TAKE, delta('b'), TAKE, end('ab')], ['text-end 1-3 ab']],
    ['a written one is not repeated', [delta('a'), TAKE, delta('b')], ['text-delta 1-1 a', 'text-delta 2-2 b']],
    [
      'another event parts them',
      [delta('a'), other, delta('b')],
      ['text-delta 1-1 a', 'status 2-2', 'text-delta 3-3 b'],
    ],
    ['and stays', [delta('a'), other, delta('b'), end('ab')], ['text-delta 1-1 a', 'status 2-2', 'text-end 3-4 ab']],
    [
      'another block parts them',
      [delta('a'), delta('b', 1), delta('c')],
      ['text-delta 1-1 a', 'text-delta 2-2 b', 'text-delta 3-3 c'],
    ],
    ['the end of another block', [delta('b', 1), end('a')], ['text-delta 1-1 b', 'text-end 2-2 a']],
    ['an end without deltas', [other, end('a')], ['status 1-1', 'text-end 2-2 a']],
    [
      'tool input',
      [
        { type: 'tool-input-delta', id: 't', text: '{' },
        { type: 'tool-input-end', id: 't', input: {}, summary: '' },
      ],
      ['tool-input-end 1-2'],
    ],
    [
      'tool output stays, because the end may not repeat it',
      [
        { type: 'tool-output-delta', id: 't', text: 'a' },
        { type: 'tool-output-delta', id: 't', text: 'b' },
        { type: 'tool-end', id: 't', status: 'ok', output: 'b' },
      ],
      ['tool-output-delta 1-2 ab', 'tool-end 3-3'],
    ],
    [
      'the two streams of a tool are not mixed',
      [
        { type: 'tool-output-delta', id: 't', text: 'a', stream: 'stdout' },
        { type: 'tool-output-delta', id: 't', text: 'b', stream: 'stderr' },
      ],
      ['tool-output-delta 1-1 a', 'tool-output-delta 2-2 b'],
    ],
  ] as const)('%s', (_, steps, expected) => {
    expect(kept([...steps])).toEqual(expected);
  });

  test('whatever comes and whenever it is written: no hole, no overlap, no text lost', () => {
    const step = fc.oneof(
      fc.record({ block: fc.nat(1), letter: fc.constantFrom(...'abc') }).map((one) => delta(one.letter, one.block)),
      fc.constant(other),
      fc.constant(end('whole')),
      fc.constant(TAKE),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let next = 1;
        for (const line of kept(steps)) {
          const [, from, to] = /(\d+)-(\d+)/.exec(line) ?? [];
          expect(Number(from)).toBe(next);
          next = Number(to) + 1;
        }
        expect(next - 1).toBe(steps.filter((one) => one !== TAKE).length);
      }),
    );
  });
});
