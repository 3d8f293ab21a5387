/** Tells the agent of a session something, whichever process runs it. */
import { type Answer, GlassboxError, type Instruction } from '../../event/index.js';
import { runAround } from '../../run/process/inside-run.js';
import { type ApprovalRecord, requireDone, type SessionRecord, type Store } from '../../store/index.js';
import { TERMINAL_DECIDER } from '../terminal-decider.js';
import { liveSession } from './live-session.js';

/** `runId`: which of its runs is meant, else the last one that is live. Throws a `GlassboxError` that says why when it was not done. */
export async function tellSession(
  store: Store,
  session: SessionRecord,
  instruction: Instruction,
  runId?: string,
): Promise<void> {
  const run = session.runs.findLast((one) => one.state !== 'ended' && (runId === undefined || one.runId === runId));
  if (run?.piped) {
    throw new GlassboxError(
      'unsupported-capability',
      `${session.id} is only read, from a pipe: nothing can be told to its agent. Speak to the program that started it.`,
    );
  }
  // From inside a run it is told all the same: the run refuses it, and tells of the attempt.
  const inside = await runAround();
  requireDone(
    await store.tell(run?.runId ?? '', instruction, { ...TERMINAL_DECIDER, ...(inside !== undefined && { inside }) }),
  );
}

/** Throws a `GlassboxError` that says why when it was not taken. */
export async function giveAnswer(
  store: Store,
  { session, runId, request }: ApprovalRecord,
  answer: Answer,
): Promise<void> {
  await tellSession(store, await liveSession(store, session), { type: 'answer', approval: request.id, answer }, runId);
}
