/** Whatever comes in: nothing throws, nothing hangs, and what begins ends once. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brokenFrame } from '../src/agent/conformance/invariants.js';
import { AGENTS } from '../src/agent/index.js';
import { createDecoder } from '../src/decode/index.js';
import type { AgentEvent } from '../src/event/index.js';
import { initialState, reduce } from '../src/session/index.js';
import { createTextView } from '../src/view/text/index.js';
import { toBytes } from './support/chunking.js';
import { ownRecordings } from './support/recordings.js';

/** For each agent and each way of being hostile; another commit tries others. */
const numRuns = 50;

const recordings = ownRecordings();
const agents = AGENTS.map(({ name }) => name);

/** The words that lines are made of, so that random values reach past the first `switch`. */
const words = wordsIn(recordings.map(({ stdout }) => new TextDecoder().decode(stdout)));
const word = fc.constantFrom(...words, 'toString', '__proto__', 'constructor');
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(word, fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(word, fc.string()), tie('any'), { maxKeys: 6 }),
  ),
})).any;

describe.each(agents)('%s', (agent) => {
  const own = recordings.filter((recording) => recording.agent === agent);

  test('survives random JSON values', () => {
    const lines = fc.array(
      value.map((any) => JSON.stringify(any)),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(lines, (texts) => isSound(agent, toBytes(texts.join('\n')))),
      { numRuns },
    );
  });

  test('survives random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => isSound(agent, bytes)),
      { numRuns },
    );
  });

  if (own.length === 0) return;
  test('survives lines that are lost, doubled, moved or of another run', () => {
    const lines = own.map(({ stdout }) => new TextDecoder().decode(stdout).split('\n'));
    const shuffled = fc
      .constantFrom(...lines)
      .chain((some) =>
        fc.array(fc.oneof(fc.constantFrom(...some), fc.constantFrom(...lines.flat())), { maxLength: 40 }),
      );
    fc.assert(
      fc.property(shuffled, (texts) => isSound(agent, toBytes(texts.join('\n')))),
      { numRuns },
    );
  });

  test('survives values of a wrong type in any place', () => {
    const small = own.filter(({ stdout }) => stdout.length < 12_000);
    const mutated = fc
      .tuple(fc.constantFrom(...small), fc.array(fc.tuple(fc.nat(), value), { minLength: 1, maxLength: 5 }))
      .map(([{ stdout }, changes]) => mutate(new TextDecoder().decode(stdout), changes));
    fc.assert(
      fc.property(mutated, (text) => isSound(agent, toBytes(text))),
      { numRuns },
    );
  });

  test('survives flipped bytes', () => {
    const small = own.filter(({ stdout }) => stdout.length < 12_000);
    const flipped = fc
      .tuple(fc.constantFrom(...small), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 20 }))
      .map(([{ stdout }, changes]) => {
        const bytes = Uint8Array.from(stdout);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        return bytes;
      });
    fc.assert(
      fc.property(flipped, (bytes) => isSound(agent, bytes)),
      { numRuns },
    );
  });
});

/** Decodes, reduces and prints; true, so that a property can return it. */
function isSound(agent: string, bytes: Uint8Array): true {
  const decoder = createDecoder(agent, { runId: 'run', now: () => 0 });
  const events: AgentEvent[] = [...decoder.push(bytes), ...decoder.end()];
  expect(brokenFrame(events)).toEqual([]);
  // Plain data: no function of `Object.prototype` came out of a table.
  structuredClone(events);
  const view = createTextView({ verbose: true });
  for (const event of events) view.push(event);
  view.end();
  expect(JSON.parse(JSON.stringify(events.reduce(reduce, initialState)))).toBeDefined();
  return true;
}

/** Replaces the values at some places of some lines. */
function mutate(text: string, changes: [place: number, value: unknown][]): string {
  const lines = text.split('\n');
  for (const [place, changed] of changes) {
    const at = place % lines.length;
    let countdown = place % 97;
    const replaced = (inner: unknown): unknown => {
      countdown -= 1;
      if (countdown < 0 && countdown > -2) return changed;
      if (Array.isArray(inner)) return inner.map(replaced);
      if (typeof inner !== 'object' || inner === null) return inner;
      return Object.fromEntries(Object.entries(inner).map(([key, deeper]) => [key, replaced(deeper)]));
    };
    try {
      lines[at] = JSON.stringify(replaced(JSON.parse(lines[at] ?? '')));
    } catch {
      // A line that is no JSON stays as it is.
    }
  }
  return lines.join('\n');
}

function wordsIn(texts: string[]): string[] {
  return [...new Set(texts.flatMap((text) => text.match(/(?<=")[a-z_A-Z]{2,30}(?=")/g) ?? []))].sort();
}
