/** Below the lines: all comments of the session, and the way of those that are not sent to its agent. */
import { ChevronRight } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { sessionPath } from '../state/route.js';
import { visible } from '../text/visible.js';
import { CommentBox } from './comment-box.js';
import { CommentView } from './comment-view.js';
import type { Talk, Talking } from './talk.js';
import './comment.css';

interface Props {
  session: string;
  isEnded: boolean;
  isReadOnly: boolean;
  talking: Talking;
  talks: readonly Talk[];
  /** Those whose lines are not shown. */
  unplaced: readonly Talk[];
  onGo: (talk: Talk) => void;
}

export function CommentTray({ session, isEnded, isReadOnly, talking, talks, unplaced, onGo }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { all, pending, problem, done, isBusy, send } = talking.comments;
  const lost = unplaced.filter(({ draft }) => draft !== undefined);
  if (all.length === 0 && lost.length === 0 && problem === '') return null;
  const isAway = new Set(unplaced.map(({ key }) => key));
  return (
    <section class="comment-tray" aria-label="Comments">
      <div class="tray-line">
        <button type="button" class="tray-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <ChevronRight class="chevron" size={14} aria-hidden="true" />
          {countText(pending.length, all.length - pending.length)}
        </button>
        <p class="tray-news" role="status">
          {done !== '' && (
            <>
              {done} <a href={sessionPath(session)}>See it work</a>
            </>
          )}
        </p>
        {!isReadOnly && pending.length > 0 && (
          <button
            type="button"
            class="button primary"
            disabled={isBusy}
            title={isEnded ? 'The session goes on with it, as one message' : 'The agent hears it now, as one message'}
            onClick={() => void send()}
          >
            Send review
          </button>
        )}
      </div>
      {problem !== '' && (
        <p class="error-text" role="alert">
          {visible(problem)}
        </p>
      )}
      {lost.map(({ key, draft }) => draft && <CommentBox key={key} draft={draft} talking={talking} />)}
      {isOpen && (
        <ul class="tray-list">
          {talks.map(
            (talk) =>
              talk.comment && (
                <li key={talk.key}>
                  <CommentView
                    comment={talk.comment}
                    talking={isReadOnly ? undefined : talking}
                    isInTray
                    onGo={isAway.has(talk.key) ? undefined : () => onGo(talk)}
                  />
                </li>
              ),
          )}
        </ul>
      )}
    </section>
  );
}

function countText(pending: number, sent: number): string {
  const words = (count: number) => `${count} comment${count === 1 ? '' : 's'}`;
  if (pending === 0 && sent === 0) return 'Comments';
  if (pending === 0) return `${words(sent)} sent`;
  return sent === 0 ? `${words(pending)} not sent` : `${words(pending)} not sent, ${sent} sent`;
}
