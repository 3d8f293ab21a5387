/** How long things took, when the clock was set while they went on. */
import { expect, test } from 'vitest';
import { createDecoder } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { initialState, reduce, values } from '../../src/session/index.js';
import { init, printed, result, text, toolResult, toolUse } from '../fake-agent/lines.js';

const HOUR = 3_600_000;

function durations(stepMs: number) {
  const decoder = createDecoder('claude');
  const steps = [
    init(),
    text('I look.'),
    toolUse('t1', 'Bash', {}),
    toolResult('t1', 'ok'),
    result('Done.', { duration_ms: undefined }),
  ];
  const events = [...decoder.push(printed(...steps)), ...decoder.end()];
  const state = events
    .map((event, index): AgentEvent => ({ ...event, at: stepMs * index }))
    .reduce(reduce, initialState);
  return [...values(state.tools.rows), ...values(state.turns.rows)].map(({ durationMs }) => durationMs);
}

test('a time that would be negative is not known', () => {
  expect(durations(HOUR).every((ms) => ms !== undefined && ms > 0)).toBe(true);
  expect(durations(-HOUR)).toEqual([undefined, undefined]);
});
