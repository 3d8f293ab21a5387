/** The questions that wait for a person, one at a time, beside the conversation: nothing else is locked, and each may wait. */
import { useStore } from '@nanostores/preact';
import { useState } from 'preact/hooks';
import { consentFor } from '../../../../consent/index.js';
import { type Approval, rowAt, type SessionState, selectPendingApprovals } from '../../../../session/index.js';
import { $agents } from '../../state/sessions.js';
import { visible } from '../../text/visible.js';
import { ApprovalCard } from './approval-card.js';

export function ApprovalSheet({ state }: { state: SessionState }) {
  // What was answered here stays away until the agent's own word arrives.
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const [later, setLater] = useState<string>();
  const waiting = selectPendingApprovals(state).filter((approval) => !answered.has(keyOf(approval, state)));
  const [head] = waiting;
  const run = rowAt(state.runs, head?.run);
  const agent = useStore($agents).find(({ name }) => name === run?.agent);
  if (head === undefined || run === undefined) return null;
  const key = keyOf(head, state);
  const others = waiting.length - 1;
  const { title } = consentFor(head.request);
  return (
    <>
      <p class="sr-only" role="status">
        Waiting for you: {visible(title)}
      </p>
      {later === key ? (
        <div class="sheet-later" data-question>
          <span class="cut grow">
            Waiting for you: {visible(title)}
            {others > 0 && ` and ${others} more`}
          </span>
          <button type="button" class="button" onClick={() => setLater(undefined)}>
            Decide
          </button>
        </div>
      ) : (
        <ApprovalCard
          key={key}
          runId={run.runId}
          editing={agent?.capabilities.editInput ?? false}
          request={head.request}
          others={others}
          onLater={() => setLater(key)}
          onAnswered={() => setAnswered((before) => new Set(before).add(key))}
        />
      )}
    </>
  );
}

/** By the run's own id: its number is another one while only the end of the session is there. */
function keyOf({ run, id }: Approval, state: SessionState): string {
  return `${rowAt(state.runs, run)?.runId} ${id}`;
}
