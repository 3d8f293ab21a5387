/** One session in the list. */
import { memo } from 'preact/compat';
import type { SessionRecord } from '../../../client/index.js';
import { sessionPath } from '../state/route.js';
import { ago, money, projectName } from '../text/format.js';
import { visible } from '../text/visible.js';
import { moodOf, StateMark } from './state-mark.js';

interface Props {
  session: SessionRecord;
  isCurrent: boolean;
  now: number;
}

export const SessionEntry = memo(({ session, isCurrent, now }: Props) => {
  const mood = moodOf(session, now);
  const facts = [session.cwd && projectName(session.cwd), session.agent, money(session.spent)].filter(Boolean);
  return (
    <li>
      <a class="session-entry" href={sessionPath(session.id)} aria-current={isCurrent ? 'page' : undefined}>
        <span class="session-title">
          <StateMark mood={mood} />
          <span class="cut">{visible(session.title) || 'Untitled'}</span>
          <time class="faint" dateTime={new Date(session.updatedAt).toISOString()}>
            {ago(session.updatedAt, now)}
          </time>
        </span>
        <span class="session-facts cut">
          {mood === 'waiting' && <strong class="waiting-word">Waiting for you</strong>}
          {visible(facts.join(' · '))}
        </span>
      </a>
    </li>
  );
});
