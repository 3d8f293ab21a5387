/** `glassbox review`: lets a person comment on changes, keeps the comments, and tells them to the agent as one message. */

import { GlassboxError } from '../../../event/index.js';
import {
  commentStates,
  type ReviewComment,
  readComments,
  removeComment,
  reviewMessage,
  reviewText,
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
    const all = await readComments(session.runs);
    if (flags.list) return void (await list(session, all, flags, process));
    const difference = await sessionDifference(session);
    const pending = all.filter(({ sentAt }) => sentAt === undefined);
    const text = reviewText(difference.files, pending, [`${session.id}: ${safe(session.title)}`]);
    if (flags.print) return void (await print(stdout, text.trimEnd().split('\n')));
    const written = await commentedText(text, difference.files, flags.from, process);
    const comments = await keep(written, pending, difference);
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
  await send.call(this, session, comments, message, flags);
}

/** What stands in the text is what there is: what was taken out is gone, unless its lines were not in it. */
async function keep(
  written: readonly Written[],
  pending: readonly ReviewComment[],
  { files, turn, runId, from, to }: Difference,
): Promise<ReviewComment[]> {
  const shown = new Set(files.map(({ path }) => path));
  for (const old of pending) if (shown.has(old.path)) await removeComment(old);
  const kept = pending.filter(({ path }) => !shown.has(path));
  const at = Date.now();
  for (const one of written) {
    const commit = one.side === 'old' ? from : to;
    kept.push(await writeComment({ ...one, runId, turn, commit, at }));
  }
  return kept;
}

async function send(
  this: Context,
  session: SessionRecord,
  comments: readonly ReviewComment[],
  message: string,
  flags: ReviewFlags,
): Promise<void> {
  const { process } = this;
  const mark = async (sentAt: number | undefined) => {
    for (const { sentAt: _, ...comment } of comments)
      await writeComment({ ...comment, ...(sentAt !== undefined && { sentAt }) });
  };
  if (session.state !== 'ended') {
    await withStore(flags, (store: Store) => tellSession(store, session, { type: 'say', text: message }));
    await mark(Date.now());
    return print(process.stdout, [`Sent ${counted(comments.length, 'comment')} to ${session.id}.`]);
  }
  const request = await continuation(session);
  // First, so that nobody sends it twice; when nothing could be started, it is pending again.
  await mark(Date.now());
  const { cwd } = session;
  const wanted = { ...flags, ...(cwd !== undefined && { cwd }) };
  const remark = `sends ${counted(comments.length, 'comment')} to ${describeSession(session)}`;
  try {
    await inOwnWorktree(flags, cwd, process, () =>
      startAgent.call(this, wanted, [session.agent, message], { request, terms: session.runs.at(-1)?.terms, remark }),
    );
  } catch (error) {
    await mark(undefined);
    if (error instanceof GlassboxError) note(process.stderr, 'Nothing was sent; the comments are kept.');
    throw error;
  }
}

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
