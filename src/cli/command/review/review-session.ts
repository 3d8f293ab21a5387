/** `glassbox review`: lets a person comment on changes, keeps the comments, and tells them to the agent as one message. */

import { GlassboxError } from '../../../event/index.js';
import {
  commentStates,
  type ReviewComment,
  readComments,
  removeComment,
  reviewMessage,
  reviewText,
  sendComments,
  settleDeliveries,
  type Written,
  writeComment,
} from '../../../review/index.js';
import type { SessionRecord, Store } from '../../../store/index.js';
import { safe, safeJson } from '../../../view/text/safe.js';
import { counted } from '../../../word/index.js';
import { confirm } from '../../ask/confirm.js';
import type { Context } from '../../context.js';
import { continuation, describeSession } from '../../kept/continuation.js';
import { inOwnWorktree } from '../../kept/in-worktree.js';
import { namedSession } from '../../kept/named-session.js';
import { tellSession } from '../../kept/tell-session.js';
import { withStore } from '../../kept/with-store.js';
import { note } from '../../print/note.js';
import { print } from '../../print/sink.js';
import { startAgent } from '../run/run-agent.js';
import type { ReviewFlags } from './command.js';
import { commentRows } from './comment-rows.js';
import { commentedText } from './commented-text.js';
import { type Difference, sessionDifference } from './session-difference.js';

export async function reviewSession(this: Context, flags: ReviewFlags, ref?: string): Promise<void> {
  const { process } = this;
  const { stdout } = process;
  const ready = await withStore(flags, async (store) => {
    const session = await namedSession(store, ref, process.cwd());
    await settleDeliveries(store, session);
    const all = await readComments(session.runs);
    if (flags.list) return void (await list(session, all, flags, process));
    const difference = await sessionDifference(session);
    const pending = all.filter(({ sentAt }) => sentAt === undefined);
    const text = reviewText(difference.files, pending, [`${session.id}: ${safe(session.title)}`]);
    if (flags.print) return void (await print(stdout, text.trimEnd().split('\n')));
    const written = await commentedText(text, difference.files, flags.from, process);
    const comments = await keep(written, pending, session, difference);
    return { session, comments };
  });
  if (!ready) return;
  const { session, comments } = ready;
  if (comments.length === 0) return print(stdout, ['There is no comment; nothing was sent.']);
  const message = reviewMessage(comments);
  if (flags.dryRun || !flags.yes) await print(stdout, safe(message).split('\n'));
  if (flags.dryRun) return print(stdout, ['', `Nothing was sent. ${counted(comments.length, 'comment')} kept.`]);
  const how = session.state === 'ended' ? `${session.id} goes on with it` : `${session.agent} hears it now`;
  if ((await confirm(`Send this? ${how}.`, { yes: flags.yes, usual: 'yes' }, process)) !== 'yes')
    return print(stdout, [
      `Nothing was sent. ${counted(comments.length, 'comment')} kept; glassbox review ${session.id} goes on.`,
    ]);
  await send.call(this, session, comments, flags);
}

/**
 * What stands in the text is what there is: what was taken out is gone, unless its lines were not in it. What somebody sent meanwhile from elsewhere is
 * not written again.
 */
async function keep(
  written: readonly Written[],
  pending: readonly ReviewComment[],
  { runs }: SessionRecord,
  { files, turn, runId, from, to }: Difference,
): Promise<ReviewComment[]> {
  const sent = new Set((await readComments(runs)).flatMap(({ id, sentAt }) => (sentAt === undefined ? [] : [id])));
  const shown = new Set(files.map(({ path }) => path));
  const kept = pending.filter(({ path, id }) => !shown.has(path) && !sent.has(id));
  const known = new Map(pending.filter(({ path }) => shown.has(path)).map((old) => [keyOf(old), old]));
  const at = Date.now();
  for (const one of written) {
    const same = known.get(keyOf(one));
    known.delete(keyOf(one));
    if (same && sent.has(same.id)) continue;
    kept.push(same ?? (await writeComment({ ...one, runId, turn, commit: one.side === 'old' ? from : to, at })));
  }
  for (const old of known.values()) if (!sent.has(old.id)) await removeComment(old);
  return kept;
}

const keyOf = ({ path, side, start, end, text }: Written): string => JSON.stringify([path, side, start, end, text]);

async function send(
  this: Context,
  session: SessionRecord,
  comments: readonly ReviewComment[],
  flags: ReviewFlags,
): Promise<void> {
  const { process } = this;
  const { id, cwd, state, agent, runs } = session;
  const ids = comments.map((comment) => comment.id);
  if (state !== 'ended') {
    const sent = await withStore(flags, (store: Store) =>
      sendComments(store, session, ids, (text) => tellSession(store, session, { type: 'say', text })),
    );
    return print(process.stdout, [`Sent ${counted(sent.comments.length, 'comment')} to ${id}.`]);
  }
  const request = await continuation(session);
  const wanted = { ...flags, ...(cwd !== undefined && { cwd }) };
  const remark = `sends ${counted(comments.length, 'comment')} to ${describeSession(session)}`;
  const goOn = async (store: Store, message: string, begins: () => Promise<void>) => {
    let hasBegun = false;
    const beforeStart = async () => {
      await begins();
      hasBegun = true;
    };
    await inOwnWorktree(flags, cwd, process, () =>
      startAgent.call(this, wanted, [agent, message], {
        request: { ...request, beforeStart },
        terms: runs.at(-1)?.terms,
        remark,
      }),
    );
    const { runId, outcome } = (await store.session(id))?.runs.at(-1) ?? {};
    const hasFailed = outcome === 'spawn-failed' && !runs.some((run) => run.runId === runId);
    if (!hasBegun || hasFailed) throw NOT_STARTED;
  };
  try {
    await withStore(flags, (store) =>
      sendComments(store, session, ids, (message, begins) => goOn(store, message, begins)),
    );
  } catch (error) {
    if (error instanceof GlassboxError) note(process.stderr, 'Nothing was sent; the comments are kept.');
    // What went wrong was shown as the run's own end.
    if (error !== NOT_STARTED) throw error;
  }
}

const NOT_STARTED = new GlassboxError('spawn-failed', 'The agent could not be started.');

async function list(
  session: SessionRecord,
  comments: readonly ReviewComment[],
  flags: ReviewFlags,
  process: NodeJS.Process,
): Promise<void> {
  const { workTree } = comments.length === 0 ? {} : await sessionDifference(session, true);
  const states = workTree ? await commentStates(workTree, comments) : new Map<string, never>();
  const rows = flags.json
    ? comments.map((comment) => safeJson({ schema: 1, ...comment, state: states.get(comment.id) ?? 'unknown' }))
    : commentRows(session.id, comments, states, flags, process);
  await print(process.stdout, rows);
}
