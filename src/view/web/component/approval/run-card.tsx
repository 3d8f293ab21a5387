/** A session that needs somebody and asks nothing here: it goes nowhere, holds still, or waits in its own program. */
import { CirclePause, Hand, Hourglass } from 'lucide-preact';
import { useId, useState } from 'preact/hooks';
import { capitalised } from '../../../../word/index.js';
import type { RunCard as Card } from '../../state/card.js';
import { sessionPath } from '../../state/route.js';
import { client, messageOf } from '../../state/server.js';
import { useFocus } from '../../state/use-focus.js';
import { useFresh } from '../../state/use-fresh.js';
import { useNow } from '../../state/use-now.js';
import { money } from '../../text/format.js';
import { visible } from '../../text/visible.js';
import { CardContext } from './card-context.js';
import { limitText, ParkedAnswers } from './parked-answers.js';

interface Props {
  card: Card;
  moves: number;
  isReadOnly: boolean;
  onLater: () => void;
  onSettled: (text: string) => void;
}

const WORDS: Record<Card['kind'], string> = {
  stuck: 'seems to be stuck',
  parked: 'is parked',
  elsewhere: 'waits for you in its own program',
};
const ICONS = { stuck: Hourglass, parked: CirclePause, elsewhere: Hand };

export function RunCard({ card, moves, isReadOnly, onLater, onSettled }: Props) {
  const { kind, session, since, text, limit } = card;
  const title = useId();
  const isFresh = useFresh(moves);
  const [isSaying, setSaying] = useState(false);
  const field = useFocus<HTMLInputElement>(isSaying);
  const [words, setWords] = useState('');
  const [problem, setProblem] = useState('');
  const run = session.runs.findLast(({ state }) => state !== 'ended');
  const isOwn = run?.terms !== undefined && !isReadOnly;
  const attempt = (act: () => Promise<unknown>, done: string) => {
    if (!isFresh) return;
    act().then(
      () => onSettled(done),
      (error: unknown) => setProblem(messageOf(error)),
    );
  };
  const Icon = ICONS[kind];
  const now = useNow(30_000, limit !== undefined);
  const evidence = limit ? limitText(limit, now) : text;
  return (
    <section class="question" aria-labelledby={title}>
      <header class="question-head">
        <Icon class="tool-icon" size={16} aria-hidden="true" />
        <h2 id={title}>
          {session.id} {WORDS[kind]}
        </h2>
      </header>
      <p class="card-evidence">
        {visible(capitalised(evidence))} <span class="faint">{money(session.spent)}</span>
      </p>
      {isSaying && (
        <form
          class="card-say"
          onSubmit={(event) => {
            event.preventDefault();
            if (words.trim() !== '') attempt(() => client.say(session.id, { text: words }), 'Said by you');
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            setSaying(false);
          }}
        >
          <input
            ref={field}
            class="text-field"
            aria-label="Message to the agent"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <button type="submit" class="button primary" disabled={words.trim() === '' || !isFresh}>
            Say it
          </button>
        </form>
      )}
      <footer class="question-foot">
        {kind === 'stuck' && (
          <button type="button" class="button primary" data-key="y" aria-keyshortcuts="y" onClick={onLater}>
            Let it go on
          </button>
        )}
        {limit && <ParkedAnswers limit={limit} isDisabled={!isFresh} attempt={attempt} />}
        <a class={kind === 'stuck' || limit ? 'button' : 'button primary'} href={sessionPath(session.id)}>
          Look at it
        </a>
        {isOwn && run?.terms?.followUp !== false && (
          <button
            type="button"
            class="button"
            data-key="e"
            aria-keyshortcuts="e"
            aria-expanded={isSaying}
            onClick={() => setSaying(!isSaying)}
          >
            Say something
          </button>
        )}
        {isOwn && run && (
          <button
            type="button"
            class="button danger"
            disabled={!isFresh}
            onClick={() => attempt(() => client.cancel(run.runId), 'Stopped by you')}
          >
            Stop it
          </button>
        )}
        <span class="grow" />
        <button type="button" class="button quiet" data-key="l" aria-keyshortcuts="l" onClick={onLater}>
          Later
        </button>
      </footer>
      {problem !== '' && (
        <p class="error-text" role="alert">
          {problem}
        </p>
      )}
      <CardContext session={session} since={since} />
    </section>
  );
}
