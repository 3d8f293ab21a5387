/** The end of a run that did not simply finish. */
import type { Run } from '../../../session/index.js';
import { visible } from '../text/visible.js';
import { ErrorNotice } from './error-notice.js';

const WORDS: Record<string, string> = {
  failed: 'The run failed',
  cancelled: 'Stopped',
  'timed-out': 'Stopped: the time was up',
  stalled: 'Stopped: nothing moved any more',
  'over-budget': 'Stopped: the budget is spent',
  'max-turns': 'Stopped: the most turns were reached',
  crashed: 'The agent crashed',
  'spawn-failed': 'The agent could not be started',
};

export function RunLine({ run: { end } }: { run: Run }) {
  if (end === undefined) return null;
  const isCalm = end.reason === 'cancelled';
  return (
    <>
      {end.error && !isCalm && <ErrorNotice error={end.error} />}
      <p class={isCalm || end.error ? 'quiet-line' : 'quiet-line warning-text'}>
        {WORDS[end.reason] ?? end.reason}
        {end.detail && !isCalm ? `: ${visible(end.detail)}` : ''}
      </p>
    </>
  );
}
