/** What waits for you, in all sessions: answered here, with a click or with keys; below it what was decided today. */
import { useStore } from '@nanostores/preact';
import { counted } from '../../../../word/index.js';
import { $cards, $waitingCount, $workingCount } from '../../state/inbox.js';
import { $connection, $health } from '../../state/sessions.js';
import { QuestionList } from '../approval/question-list.js';
import { BackLink } from '../part/back-link.js';
import { DecidedToday } from './decided-today.js';
import { WaitingLines } from './waiting-lines.js';

export function InboxPage() {
  const cards = useStore($cards);
  const waiting = useStore($waitingCount);
  const working = useStore($workingCount);
  const connection = useStore($connection);
  const isReadOnly = useStore($health)?.readOnly ?? false;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section class="inbox" data-scroller tabIndex={0} aria-label="Inbox">
      <div class="inbox-column">
        <header class="inbox-head">
          <BackLink />
          <h1>{headline(connection === 'opening' ? undefined : waiting, working)}</h1>
          {waiting > 0 && !isReadOnly && (
            <p class="faint inbox-keys">
              <kbd>j</kbd> <kbd>k</kbd> move · <kbd>y</kbd> allow · <kbd>n</kbd> deny · <kbd>e</kbd> change ·{' '}
              <kbd>a</kbd> always · <kbd>l</kbd> later
            </p>
          )}
        </header>
        {waiting === 0 && cards.length === 0 && connection !== 'opening' && (
          <p class="faint">
            Whatever needs you stands here, of every session: approvals, questions, plans, and runs that are stuck or
            parked.
          </p>
        )}
        {isReadOnly ? <WaitingLines cards={cards} /> : <QuestionList cards={cards} />}
        <DecidedToday />
      </div>
    </section>
  );
}

function headline(waiting: number | undefined, working: number): string {
  if (waiting === undefined) return 'Looking…';
  const works = working === 0 ? 'No agent works' : working === 1 ? '1 works' : `${working} work`;
  return waiting === 0
    ? `Nothing waits. ${works}.`
    : `${counted(waiting, 'thing')} ${waiting === 1 ? 'waits' : 'wait'} for you`;
}
