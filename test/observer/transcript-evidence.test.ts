/** What a call without a result means beside what its program says in its log. */
import { expect, test } from 'vitest';
import { transcriptEvidence } from '../../src/observer/transcript-evidence.js';

const call = { name: 'webfetch', kind: 'fetch', summary: 'example.test', at: 10_000 } as const;
const end = { path: 'x.db', turn: 'open', at: 10_000, calls: [call] } as const;
const holder = { pid: 5, parent: 1, startTicks: '1', began: 1000, stopped: false, hasTerminal: true };
const doing = { holders: [holder], processes: new Map([[5, holder]]), now: 10_300 };

test.each([
  ['asked since', { asked: 10_200 }, 'waiting'],
  ['asked before, about another one', { asked: 9000 }, 'working'],
  ['asked, and something began since', { asked: 10_200, ranAt: 10_250 }, 'working'],
  ['asked, and something had begun before', { asked: 10_200, ranAt: 9000 }, 'waiting'],
  ['not asked', {}, 'working'],
])('%s', (_, more, says) => {
  expect(transcriptEvidence({ ...end, calls: [...end.calls] }, { ...doing, ...more })[0]?.says).toBe(says);
});

test.each([
  ['which is over', {}, 'idle'],
  ['which may ask about a call that is not written down yet', { writesCallsLate: true }, 'present'],
  ['which moves', { writesCallsLate: true, movement: { isMoving: true, since: 10_000 } }, 'working'],
] as const)('a turn without a call in a terminal that stands still, %s', (_, more, says) => {
  const still = { isMoving: false, since: 9000 } as const;
  expect(transcriptEvidence({ ...end, calls: [] }, { ...doing, movement: still, ...more })[0]?.says).toBe(says);
});
