/** The end of a turn: how long, how much; and why, if it did not go well. */
import { rowAt, type SessionState, type Turn } from '../../../../session/index.js';
import { duration } from '../../../../word/index.js';
import { money } from '../../text/format.js';
import { visible } from '../../text/visible.js';
import { ErrorNotice } from './error-notice.js';

const WORDS: Record<string, string> = {
  success: 'Turn done',
  failed: 'Turn failed',
  interrupted: 'Interrupted',
  'max-turns': 'Stopped: the most steps were reached',
  'over-budget': 'Stopped: the budget is spent',
  unknown: 'The turn ended without a result',
};

export function TurnLine({ turn, state }: { turn: Turn; state: SessionState | undefined }) {
  const { end, durationMs, cost } = turn;
  if (end === undefined) return null;
  const isInterrupted = end.outcome === 'interrupted';
  const word = (isInterrupted && end.error?.message.replace(/\.$/, '')) || WORDS[end.outcome];
  const facts = [word ?? end.outcome, durationMs ? duration(durationMs) : '', money(cost)].filter(Boolean);
  // Most agents tell an error when it happens and once more at the end.
  const told = state && rowAt(state.runs, turn.run)?.error;
  const isTold = told?.message === end.error?.message && told?.turn === turn.turn;
  return (
    <>
      {end.error && !isInterrupted && !isTold && <ErrorNotice error={end.error} />}
      <p class="turn-line">
        <span>{visible(facts.join(' · '))}</span>
      </p>
    </>
  );
}
