/** Below a card: what the agent said last, whose it is, and how long it waits. */
import { useStore } from '@nanostores/preact';
import type { SessionRecord } from '../../../../client/index.js';
import { originText } from '../../state/origin.js';
import { sessionPath } from '../../state/route.js';
import { $worktrees } from '../../state/sessions.js';
import { useNow } from '../../state/use-now.js';
import { visible } from '../../text/visible.js';
import { waitedText } from '../../text/waited.js';

interface Props {
  said?: string | undefined;
  session: SessionRecord | undefined;
  since: number;
}

export function CardContext({ said, session, since }: Props) {
  const now = useNow(1000);
  const worktrees = useStore($worktrees);
  return (
    <div class="card-context">
      {said !== undefined && <p class="card-said">{visible(said)}</p>}
      <p class="card-facts">
        {session && (
          <a class="cut" href={sessionPath(session.id)}>
            {visible(session.title) || session.id}
          </a>
        )}
        <span>
          {visible([originText(session?.cwd, worktrees), session?.agent].filter(Boolean).join(' · '))} · waits{' '}
          <span class="clock">{waitedText(now - since)}</span>
        </span>
      </p>
    </div>
  );
}
