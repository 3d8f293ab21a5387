/** The questions that wait for a person, oldest first: the head is the one to show. */
import type { Approval } from '../item.js';
import type { SessionState } from '../state.js';
import { openRows } from '../table/table.js';

/** The questions that wait for an answer, the oldest first. */
export function selectPendingApprovals(state: SessionState): Approval[] {
  return Array.from(openRows(state.approvals), ([, approval]) => approval);
}

/** The question to show now: the oldest that nobody has answered. */
export function selectPendingApproval(state: SessionState): Approval | undefined {
  for (const [, approval] of openRows(state.approvals)) return approval;
  return undefined;
}
