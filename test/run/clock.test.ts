/** Clocks are set forward and back while an agent works. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { run } from '../../src/run/index.js';
import { init, result, text } from '../fake-agent/lines.js';
import { scripted } from '../fake-agent/play.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test('a clock that is set changes neither how long a run took nor what is waited for', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  // It stands still but where it jumps: whoever waits by it for a process that was left behind would wait for ever.
  const script = [{ fork: 'session' }, init(), text('one'), text('two', 'msg_2'), result('done')];
  const handle = run(scripted(script, { watchdog: { silence: { afterMs: HOUR, policy: 'end' } } }));
  let jump = DAY;
  for await (const event of handle.events) {
    if (event.type !== 'text-end') continue;
    vi.setSystemTime(Date.now() + jump);
    jump = -3 * DAY;
  }
  const { reason, durationMs, leftBehind } = await handle.completion;
  expect(reason).toBe('finished');
  expect(leftBehind).toHaveLength(1);
  expect(durationMs).toBeGreaterThanOrEqual(0);
  expect(durationMs).toBeLessThan(HOUR);
});
