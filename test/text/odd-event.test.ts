/** Events that are hostile, damaged or forged are printed harmlessly, or not at all. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentEvent } from '../../src/event/index.js';
import { FEWER_ATTACKS, HOSTILE } from './hostile.js';
import { everything, print } from './print.js';
import { SAMPLES } from './samples.js';
import { stamp } from './stamp.js';

test('LL-39 no field of any event brings a hostile character to the terminal', () => {
  for (const [name, attack] of FEWER_ATTACKS) {
    for (const payload of Object.values(SAMPLES)) {
      const event = stamp('warning', { ...poison(payload, attack), sessionId: attack, agent: attack } as never);
      const events = [
        stamp('tool-start', { id: 't1', name: attack, kind: 'other' }),
        { ...event, type: payload.type } as AgentEvent,
      ];
      const printed = print(events, everything).join('');
      expect(HOSTILE.test(printed) || /[\n\t]/.test(printed), `${name} in ${payload.type}`).toBe(false);
    }
  }
});

test('S1-52 a wrong value in any field is borne', () => {
  for (const value of [null, 5, '', 'constructor', [], [null], { toString: 1, valueOf: 1 }]) {
    for (const payload of Object.values(SAMPLES)) {
      for (const key of [...Object.keys(payload), 'parent', 'sessionId'].filter((name) => name !== 'type')) {
        const event = { ...stamp('warning', payload as never), type: payload.type, [key]: value } as AgentEvent;
        expect(print([event], everything).join('\n')).not.toMatch(/function|\[object/);
      }
    }
  }
});

test('S1-52 a forged event of any shape is printed or not, and never throws', () => {
  const forged = fc.record(
    {
      type: fc.constantFrom(...Object.keys(SAMPLES), 'novel'),
      ...Object.fromEntries(
        [...new Set(Object.values(SAMPLES).flatMap((payload) => Object.keys(payload)))]
          .filter((key) => key !== 'type')
          .map((key) => [key, fc.jsonValue()]),
      ),
      parent: fc.jsonValue(),
      at: fc.double(),
      agent: fc.jsonValue(),
    },
    { requiredKeys: ['type'] },
  );
  fc.assert(
    fc.property(fc.array(forged, { maxLength: 5 }), (events) => {
      expect(print(events as unknown as AgentEvent[], { ...everything, width: 40 }).join('')).not.toMatch(HOSTILE);
    }),
    { numRuns: 100 },
  );
});

/** Every string of a value is replaced; the words that the program itself compares stay. */
function poison<Value>(value: Value, attack: string): Value;
function poison(value: unknown, attack: string): unknown {
  if (typeof value === 'string') return `${attack}x${attack}`;
  if (Array.isArray(value)) return value.map((item) => poison(item, attack));
  if (typeof value !== 'object' || value === null) return value;
  const keep = new Set(['type', 'id', 'kind', 'state', 'status', 'outcome', 'decision']);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, keep.has(key) ? item : poison(item, attack)]),
  );
}
