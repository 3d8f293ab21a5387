/** Reviews over HTTP: who made the changes of sessions, and comments on their lines; only in the server's projects. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { changeLines, checkpointDirectory, findStretch, findWorkTree } from '../checkpoint/index.js';
import type { CommentRecord } from '../client/api.js';
import { GlassboxError } from '../event/index.js';
import {
  areShown,
  changeMakers,
  commentStates,
  pendingComment,
  type ReviewComment,
  readComments,
  removeComment,
  sendComments,
  settleDeliveries,
  shownHunks,
  writeComment,
} from '../review/index.js';
import type { SessionRecord, Store } from '../store/index.js';
import type { OwnRuns } from './own-runs.js';
import { ownTurns, topsOf } from './own-turns.js';
import { personOf } from './principal.js';
import { reply } from './reply.js';
import type { Env } from './requires.js';
import * as route from './review-route.js';

export interface ReviewRouteOptions {
  store: Store;
  runs: OwnRuns;
  projects: readonly string[];
  findSession(context: Context<Env>, ref: string): Promise<SessionRecord>;
}

const FILES_AT_ONCE = 50;

export function addReviewRoutes(app: OpenAPIHono<Env>, options: ReviewRouteOptions): void {
  const { store, runs, projects, findSession } = options;
  const lookedAt = async (context: Context<Env>, ref: string) => {
    const session = await findSession(context, ref);
    return { session, turns: await ownTurns(session, projects) };
  };

  app.openapi(route.changeMakers, async (context) => {
    const { turn, from, limit = FILES_AT_ONCE } = context.req.valid('query');
    const { turns } = await lookedAt(context, context.req.valid('param').session);
    const stretch = await findStretch(turns, turn);
    return reply(context, route.changeMakers, await changeMakers(store, stretch, { from, limit }));
  });
  app.openapi(route.listComments, async (context) => {
    const { session, turns } = await lookedAt(context, context.req.valid('param').session);
    await settleDeliveries(store, session);
    const comments = await readComments(session.runs);
    return reply(context, route.listComments, await withStates(comments, topsOf(turns).at(-1)));
  });
  app.openapi(route.addComment, async (context) => {
    const { turn, ...place } = context.req.valid('json');
    const { session, turns } = await lookedAt(context, context.req.valid('param').session);
    const stretch = await findStretch(turns, turn);
    const { files } = await changeLines(stretch, { from: place.path, limit: 1 });
    const [file] = files;
    if (!file || !areShown(shownHunks(file.hunks, file), place)) throw new GlassboxError('conflict', OTHERS);
    const last = stretch.turns.at(-1)?.turn ?? 0;
    const comment = await writeComment({
      ...place,
      runId: turns.find((one) => one.turn === last)?.runId ?? session.runs.at(-1)?.runId ?? '',
      turn: last,
      commit: place.side === 'old' ? stretch.from : stretch.to,
      at: Date.now(),
    });
    const [record] = await withStates([comment], stretch.workTree.top);
    return reply(context, route.addComment, record ?? { ...comment, state: 'unknown' });
  });
  app.openapi(route.changeComment, async (context) => {
    const { session: ref, comment: id } = context.req.valid('param');
    const { session, turns } = await lookedAt(context, ref);
    const comment = await pendingComment(session.runs, id);
    const changed = await writeComment({ ...comment, ...context.req.valid('json') });
    const [record] = await withStates([changed], topsOf(turns).at(-1));
    return reply(context, route.changeComment, record ?? { ...changed, state: 'unknown' });
  });
  app.openapi(route.removeComment, async (context) => {
    const { session: ref, comment: id } = context.req.valid('param');
    const { session } = await lookedAt(context, ref);
    await removeComment(await pendingComment(session.runs, id));
    return reply(context, route.removeComment, {});
  });
  app.openapi(route.sendComments, async (context) => {
    const { session } = await lookedAt(context, context.req.valid('param').session);
    const from = personOf(context.get('principal'));
    const tell = async (text: string, beforeStart: () => Promise<void>) => {
      const started = await runs.say(session, { text, beforeStart }, from);
      const isNew = !session.runs.some(({ runId }) => runId === started.runId);
      if (isNew) await heard(store, started.runId);
      return started;
    };
    const { told, comments } = await sendComments(store, session, context.req.valid('json').comments, tell);
    return reply(context, route.sendComments, { ...told, count: comments.length });
  });
}

const OTHERS = 'These lines are not there as they were shown. Look at the changes again, and comment on them then.';

async function withStates(comments: readonly ReviewComment[], top: string | undefined): Promise<CommentRecord[]> {
  const workTree =
    comments.length === 0 || top === undefined
      ? undefined
      : await findWorkTree(top, checkpointDirectory(), { isAwaited: true }).catch(() => undefined);
  const states = workTree && (await commentStates(workTree, comments));
  return comments.map((comment) => ({ ...comment, state: states?.get(comment.id) ?? 'unknown' }));
}

/** Waits until the agent that was started has its first words; throws when it could not be started. */
async function heard(store: Store, runId: string): Promise<void> {
  for await (const event of store.tail(runId)) {
    if (event.type === 'run-end' && event.reason === 'spawn-failed')
      throw new GlassboxError(
        'conflict',
        `Nothing was sent. ${event.error?.message ?? 'The agent could not be started.'}`,
      );
    if (event.type === 'run-end' || event.type === 'user-message' || event.source === 'stream') return;
  }
}
