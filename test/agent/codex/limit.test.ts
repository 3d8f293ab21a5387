import { expect, test } from 'vitest';
import { codex } from '../../../src/agent/codex/index.js';
import { draftsOf, ofType } from '../drive.js';

const line = (rate_limits: object | null) => ({ type: 'token_count', info: null, rate_limits });
const limitsIn = (rate_limits: object | null) => {
  const drafts = draftsOf(codex, [{ type: 'thread.started', thread_id: 't' }, line(rate_limits)]);
  expect(ofType(drafts, 'unknown')).toEqual([]);
  return ofType(drafts, 'rate-limit');
};
const window = (used_percent: number, window_minutes: number) => ({ used_percent, window_minutes, resets_at: 2 });

test.each<[string, object | null, object[]]>([
  ['nothing told', null, []],
  ['a key of one’s own has no windows', { limit_id: 'codex', primary: null, secondary: null }, []],
  [
    'both windows',
    { primary: window(12.5, 300), secondary: window(40, 10_080) },
    [
      {
        state: 'allowed',
        windows: [
          { name: 'five_hour', utilization: 0.125, resetsAt: 2000 },
          { name: 'seven_day', utilization: 0.4, resetsAt: 2000 },
        ],
      },
    ],
  ],
  [
    'a limit of a model, and a window without a length',
    { limit_name: 'Spark', primary: { used_percent: 1 } },
    [{ windows: [{ name: 'Spark window', utilization: 0.01 }] }],
  ],
  [
    'one that is reached: the fullest window decides',
    { primary: window(20, 300), secondary: window(100, 10_080), rate_limit_reached_type: 'rate_limit_reached' },
    [{ state: 'rejected', window: 'seven_day', utilization: 1, resetsAt: 2000 }],
  ],
])('%s', (_, limits, expected) => {
  expect(limitsIn(limits)).toMatchObject(expected);
});
