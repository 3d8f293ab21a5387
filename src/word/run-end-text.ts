/** How a run ended that did not simply finish, in the words of every view that shows a whole session. */
import type { EndReason, EventOf } from '../event/index.js';
import { wordOf } from './event-text.js';

const WORDS: Record<EndReason, string> = {
  finished: '',
  failed: 'The run failed',
  cancelled: 'Stopped',
  'timed-out': 'Stopped: the time was up',
  stalled: 'Stopped: nothing moved any more',
  'over-budget': 'Stopped: the budget is spent',
  'max-turns': 'Stopped: the most turns were reached',
  crashed: 'The agent crashed',
  'spawn-failed': 'The agent could not be started',
};

/** `why`: what is known besides, unless it is shown elsewhere. */
export function runEndText({ reason }: Pick<EventOf<'run-end'>, 'reason'>, why: string | undefined): string {
  return [wordOf(WORDS, reason) || reason, why].filter(Boolean).join(': ');
}
