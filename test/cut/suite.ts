/**
 * However the bytes of a recording are cut, the events are the same; however early they end, the stream is sound.
 * The recordings are dealt out to several files, so that several cores share them.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { violations } from '../../src/agent/conformance/invariants.js';
import { createDecoder } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { initialState, reduce, selectOpenWork } from '../../src/session/index.js';
import { awkwardCuts } from '../support/chunking.js';
import { ownRecordings, type Recording } from '../support/recordings.js';

const PARTS = 4;

/** How many ends of lines are tried for each recording, and as many places in the middle of one; the commit draws them. */
const MOST_ENDS = 5;

/** The first of every four recordings, the second, … */
export function testCuts(part: number): void {
  const mine = ownRecordings().filter((_, index) => index % PARTS === part - 1);

  describe.each(mine)('$name', (recording) => {
    test('S1-37, S3-03 gives the same events however it is cut', () => {
      const whole = serialise(decodeAll(recording, [recording.stdout]));
      for (const pieces of awkwardCuts(recording.stdout)) {
        expect(serialise(decodeAll(recording, pieces)) === whole, `in ${pieces.length} pieces`).toBe(true);
      }
    });

    test('gives a sound stream and a state however early it ends', () => {
      for (const length of prefixLengths(recording.stdout)) {
        const events = decodeAll(recording, [recording.stdout.subarray(0, length)]);
        expect(violations(events), `after ${length} bytes`).toEqual([]);
        expect(selectOpenWork(events.reduce(reduce, initialState)).tools).toEqual([]);
      }
    });
  });
}

function decodeAll({ agent }: Recording, pieces: readonly Uint8Array[]): AgentEvent[] {
  const decoder = createDecoder(agent, { runId: 'run', now: () => 0 });
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.end()];
}

function prefixLengths(bytes: Uint8Array): number[] {
  const ends = [...bytes.keys()].filter((at) => bytes[at] === 0x0a).map((at) => at + 1);
  const count = Math.min(MOST_ENDS, ends.length);
  const [chosen = []] = fc.sample(fc.subarray(ends, { minLength: count, maxLength: count }), 1);
  return [0, ...chosen, ...chosen.map((end) => Math.max(0, end - 7)), Math.floor(bytes.length / 2)];
}

function serialise(events: AgentEvent[]): string {
  return events.map((event) => JSON.stringify(event)).join('\n');
}
