/** The questions that wait in all sessions, and those that were answered here a moment ago. */
import { atom, computed } from 'nanostores';
import type { ApprovalRecord, SessionRecord, WaitingApproval } from '../../../client/index.js';

/** As the server told them last, the oldest first. */
const $told = atom<readonly WaitingApproval[]>([]);

/** What was answered here stays away until the server's own word arrives. */
const $answered = atom<ReadonlySet<string>>(new Set());

export const $waiting = computed([$told, $answered], (told, answered) =>
  told.filter((record) => !answered.has(nameOf(record))),
);

/** Changes when the server tells that a question came or went. */
export const $askedVersion = computed($told, (told) => told.map(nameOf).join('\n'));

export function nameOf({ runId, request }: Pick<ApprovalRecord, 'runId' | 'request'>): string {
  return `${runId} ${request.id}`;
}

export function takeSnapshot(approvals: readonly WaitingApproval[]): void {
  $told.set(approvals);
}

/** `approvals` are all that wait in these sessions. */
export function takeUpdate(sessions: readonly SessionRecord[], approvals: readonly WaitingApproval[]): void {
  const ids = new Set(sessions.map(({ id }) => id));
  const runs = new Set(sessions.flatMap((session) => session.runs.map(({ runId }) => runId)));
  const others = $told.get().filter(({ session, runId }) => !ids.has(session) && !runs.has(runId));
  $told.set([...others, ...approvals].sort((one, other) => one.request.at - other.request.at));
}

export function noteAnswered(records: readonly ApprovalRecord[]): void {
  $answered.set(new Set([...$answered.get(), ...records.map(nameOf)]));
}

export function isAnsweredHere(record: Pick<ApprovalRecord, 'runId' | 'request'>): boolean {
  return $answered.get().has(nameOf(record));
}
