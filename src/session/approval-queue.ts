/** The questions that wait for a person, oldest first: the head is the one to show (S4-11, LL-33). */
import type { Approval } from './item.js';
import type { SessionState } from './state.js';
import { openRows } from './table.js';

export function selectPendingApprovals(state: SessionState): Approval[] {
  return Array.from(openRows(state.approvals), ([, approval]) => approval);
}

export function selectPendingApproval(state: SessionState): Approval | undefined {
  for (const [, approval] of openRows(state.approvals)) return approval;
  return undefined;
}
