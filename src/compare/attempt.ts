/** One attempt: a work tree of its own, a run in it, what it changed, and whether the check passes there. */
import { differenceSize, keepMoment } from '../checkpoint/index.js';
import { type Completion, GlassboxError } from '../event/index.js';
import type { RunHandle, RunRequest } from '../run/index.js';
import { makeWorktree, releaseWorktree, type WorktreeWish } from '../worktree/index.js';
import { runCheck } from './check.js';
import type { Attempt, AttemptEnd } from './comparison.js';
import type { Purse } from './purse.js';
import { verdictOf } from './verdict.js';

/** What all attempts of a comparison have. */
export interface Stage {
  wish: WorktreeWish;
  /** Starts a run that is kept. */
  start(request: RunRequest): RunHandle;
  /** The short id of the session that a run belongs to. */
  sessionOf(runId: string): Promise<string | undefined>;
  request: Omit<RunRequest, 'agent'>;
  check?: string | undefined;
  checkTimeoutMs: number;
  purse: Purse;
  signal: AbortSignal;
  /** Why it was aborted, for people. */
  whyStopped(): string;
  /** Names what is kept in the repository. */
  refs: string;
  /** One at a time: git makes one work tree after the other. */
  alone<Value>(work: () => Promise<Value>): Promise<Value>;
  /** To be called with what is known by now. */
  onChange(attempt: Attempt): Promise<void>;
}

/** Never rejects: what goes wrong is what became of the attempt. */
export async function tryOnce(first: Attempt, stage: Stage): Promise<void> {
  let attempt = first;
  const tell = (facts: Partial<Attempt>): Promise<void> => {
    attempt = { ...attempt, ...facts };
    attempt = { ...attempt, verdict: verdictOf(attempt) };
    return stage.onChange(attempt);
  };
  if (stage.signal.aborted) return tell({ state: 'not-begun', why: stage.whyStopped() });
  const share = stage.purse.take();
  if (share === 0) return tell({ state: 'not-begun', why: 'the budget is used up' });
  let cost: Completion['cost'] | undefined;
  let hasBegun = false;
  try {
    const made = await stage.alone(() => makeWorktree(stage.wish));
    const { record } = made;
    try {
      const ref = `${stage.refs}/${attempt.number}`;
      const before = await keepMoment(record.path, `${ref}/before`);
      await tell({ before, folder: made.cwd, branch: record.branch });
      hasBegun = true;
      const ended = await runOnce(made.cwd, share);
      cost = ended.cost;
      const after = await keepMoment(record.path, `${ref}/after`);
      await tell({ after, end: endOf(ended), size: await differenceSize(record.path, before, after) });
      if (stage.check !== undefined && ended.reason !== 'spawn-failed') {
        if (!stage.signal.aborted) await tell({ state: 'checking' });
        const { check: command, checkTimeoutMs: timeoutMs, signal } = stage;
        await tell({ check: await runCheck({ command, cwd: made.cwd, timeoutMs, signal }) });
      }
    } finally {
      await stage.alone(() => releaseWorktree(record));
    }
    await tell({ state: 'ended' });
  } catch (error) {
    const why = error instanceof GlassboxError ? error.message : String(error);
    await tell({ state: hasBegun ? 'ended' : 'not-begun', why });
  } finally {
    stage.purse.giveBack(share, hasBegun ? cost : { usd: 0, scope: 'process', origin: 'reported' });
  }

  async function runOnce(cwd: string, budgetUsd: number | undefined): Promise<Completion> {
    const { agent, model } = attempt;
    const handle = stage.start({
      ...stage.request,
      ...{ agent, cwd, attended: false },
      ...(model !== undefined && { model }),
      ...(budgetUsd !== undefined && { budgetUsd }),
    });
    const cancel = () => handle.cancel(stage.whyStopped());
    stage.signal.addEventListener('abort', cancel, { once: true });
    if (stage.signal.aborted) cancel();
    const counted = countQuestions(handle);
    await tell({ state: 'running', runId: handle.runId });
    const completion = await handle.completion;
    stage.signal.removeEventListener('abort', cancel);
    const session = await stage.sessionOf(handle.runId);
    await tell({ ...(await counted), ...(session !== undefined && { session }) });
    return completion;
  }
}

async function countQuestions(handle: RunHandle): Promise<Pick<Attempt, 'asked' | 'refused'>> {
  const asked = new Map<string, string>();
  const refused = new Set<string>();
  for await (const event of handle.tap()) {
    if (event.type === 'approval-request') asked.set(event.id, event.toolId ?? event.id);
    if (event.type === 'approval-resolve' && event.decision === 'deny') refused.add(asked.get(event.id) ?? event.id);
    // Also what was refused without a question, and once where the agent tells of it again.
    if (event.type === 'permission-deny') refused.add(event.toolId ?? `#${event.seq}`);
  }
  return { asked: asked.size, refused: refused.size };
}

/** Bounded: the whole of it is in the session. */
function endOf({ reason, cost, usage, turns, durationMs, detail, parked, text, error }: Completion): AttemptEnd {
  return {
    ...{ reason, turns, durationMs },
    ...(cost && { cost }),
    ...(usage && { usage }),
    ...(parked && { parked }),
    ...(error && { error: error.category }),
    ...((error?.message ?? detail) !== undefined && { detail: (error?.message ?? detail ?? '').slice(0, 300) }),
    ...(text !== undefined && { text: text.slice(0, 300) }),
  };
}
