/** One session in the list. */
import { useStore } from '@nanostores/preact';
import { Pin } from 'lucide-preact';
import { memo } from 'preact/compat';
import type { Presence, SessionRecord } from '../../../../client/index.js';
import { shownState } from '../../../../presence/index.js';
import { originText } from '../../state/origin.js';
import { sessionPath } from '../../state/route.js';
import { $worktrees } from '../../state/sessions.js';
import { ago, money } from '../../text/format.js';
import { presenceText } from '../../text/presence-text.js';
import { visible } from '../../text/visible.js';
import { StateMark } from '../part/state-mark.js';

interface Props {
  session: SessionRecord;
  presence: Presence | undefined;
  isCurrent: boolean;
  now: number;
  /** Present while several are being chosen. */
  chosen: boolean | undefined;
  onChoose: (id: string) => void;
}

export const SessionEntry = memo(({ session, presence, isCurrent, now, chosen, onChoose }: Props) => {
  const shown = shownState(session, presence);
  const facts = [originText(session.cwd, useStore($worktrees)), session.agent, money(session.spent)].filter(Boolean);
  return (
    <li class={chosen === undefined ? undefined : 'is-choosing'}>
      {chosen !== undefined && (
        <input
          type="checkbox"
          aria-label={visible(`Choose ${session.title || session.id}`)}
          checked={chosen}
          onChange={() => onChoose(session.id)}
        />
      )}
      <a
        class="session-entry"
        href={sessionPath(session.id)}
        aria-current={isCurrent ? 'page' : undefined}
        title={presence && visible(presenceText(presence, now))}
        onClick={(event) => {
          if (chosen === undefined || event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          onChoose(session.id);
        }}
      >
        <span class="session-title">
          <StateMark shown={shown} />
          <span class="cut">{visible(session.title) || 'Untitled'}</span>
          {session.pinned && <Pin class="pin-mark" size={12} aria-label="pinned" />}
          <time class="faint" dateTime={new Date(session.updatedAt).toISOString()}>
            {ago(session.updatedAt, now)}
          </time>
        </span>
        <span class="session-facts cut">
          <StateWord shown={shown.tone} awaited={presence?.for?.text} />
          {visible(facts.join(' · '))}
        </span>
      </a>
    </li>
  );
});

/** What is at work or over is told by its mark; the rest in a word, because it is rarer. */
function StateWord({ shown, awaited }: { shown: string; awaited: string | undefined }) {
  if (shown === 'waiting')
    return (
      <strong class="waiting-word">
        Waiting for you{awaited !== undefined && <span class="waiting-for">: {visible(awaited)}</span>}
      </strong>
    );
  if (shown === 'idle' || shown === 'parked' || shown === 'unknown') return <span class="state-word">{shown} · </span>;
  return null;
}
