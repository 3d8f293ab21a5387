/** What the last events of a run say about what its session does. */
import { expect, test } from 'vitest';
import type { AgentEvent } from '../../src/event/index.js';
import { evidenceOfEvents } from '../../src/presence/run-evidence.js';

const event = (type: string, at: number, facts: object = {}) => ({ type, at, ...facts }) as unknown as AgentEvent;

test.each([
  ['nothing when none of them tells', [event('text-end', 1)], undefined],
  ['that it works', [event('turn-end', 1, { outcome: 'success' }), event('turn-start', 2)], { says: 'working', at: 2 }],
  [
    'that it is idle, and how its turn ended, whatever comes after it',
    [event('turn-start', 1), event('turn-end', 2, { outcome: 'interrupted' }), event('status', 3)],
    { says: 'idle', at: 2, text: 'a turn of its run ended: interrupted' },
  ],
  [
    'that it ended, and how',
    [event('turn-end', 1, { outcome: 'success' }), event('run-end', 2, { reason: 'finished' })],
    { says: 'ended', at: 2, text: 'its run ended: finished' },
  ],
])('they tell %s', (_, events, told) => {
  const evidence = evidenceOfEvents(events);
  if (told === undefined) expect(evidence).toBeUndefined();
  else expect(evidence).toMatchObject({ source: 'run', ...told });
});
