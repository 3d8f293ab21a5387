/** The questions that wait for a person, one at a time, as a modal sheet (S4-17). */
import { useState } from 'preact/hooks';
import { type Approval, rowAt, type SessionState, selectPendingApprovals } from '../../../session/index.js';
import { ApprovalDialog } from './approval-dialog.js';

export function ApprovalSheet({ state }: { state: SessionState }) {
  // What was answered here stays away until the agent's own word arrives.
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const waiting = selectPendingApprovals(state).filter((approval) => !answered.has(keyOf(approval, state)));
  const [head] = waiting;
  const runId = rowAt(state.runs, head?.run)?.runId;
  if (head === undefined || runId === undefined) return null;
  const key = keyOf(head, state);
  return (
    <ApprovalDialog
      key={key}
      runId={runId}
      request={head.request}
      others={waiting.length - 1}
      onAnswered={() => setAnswered((before) => new Set(before).add(key))}
    />
  );
}

/** By the run's own id: its number is another one while only the end of the session is there. */
function keyOf({ run, id }: Approval, state: SessionState): string {
  return `${rowAt(state.runs, run)?.runId} ${id}`;
}
