/** Turns of sessions and the way back to them, only in the server's projects, and never under an agent that works there. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import {
  findTurns,
  goBack,
  hunksOf,
  type PreparedWayBack,
  planWayBack,
  refuseWhileAtWork,
  type TurnFiles,
  textsOf,
  turnChanges,
  undoRewind,
} from '../checkpoint/index.js';
import type { RewindPlan, RewindQuery, SessionTurn } from '../client/api.js';
import { GlassboxError } from '../event/index.js';
import { markEditsOfOthers, shownHunks } from '../review/index.js';
import type { SessionRecord, Store } from '../store/index.js';
import { ownTurns, topsOf } from './own-turns.js';
import { reply } from './reply.js';
import type { Env } from './requires.js';
import * as route from './route.js';

export interface RewindRouteOptions {
  store: Store;
  projects: readonly string[];
  findSession(context: Context<Env>, ref: string): Promise<SessionRecord>;
}

export function addRewindRoutes(app: OpenAPIHono<Env>, { store, projects, findSession }: RewindRouteOptions): void {
  const prepare = async (session: SessionRecord, { turn, before }: RewindQuery): Promise<PreparedWayBack> =>
    markEditsOfOthers(
      store,
      session.id,
      await planWayBack(
        await ownTurns(session, projects),
        { turn, before },
        { session, read: (runId) => store.read(runId) },
      ),
    );

  app.openapi(route.listTurns, async (context) => {
    const { runs } = await findSession(context, context.req.valid('param').session);
    const turns = await findTurns(runs);
    return reply(context, route.listTurns, await Promise.all(turns.map(turnOf)));
  });
  app.openapi(route.planRewind, async (context) => {
    const session = await findSession(context, context.req.valid('param').session);
    return reply(context, route.planRewind, shown(await prepare(session, context.req.valid('query'))));
  });
  app.openapi(route.rewindHunks, async (context) => {
    const session = await findSession(context, context.req.valid('param').session);
    const { path, ...moment } = context.req.valid('query');
    const plan = await prepare(session, moment);
    const [hunks, texts] = await Promise.all([hunksOf(plan, path), textsOf(plan, path)]);
    return reply(context, route.rewindHunks, shownHunks(hunks, texts));
  });
  app.openapi(route.rewind, async (context) => {
    const session = await findSession(context, context.req.valid('param').session);
    const { fingerprint, paths, hunks, filesOnly, ...moment } = context.req.valid('json');
    const plan = await prepare(session, moment);
    refuseWhileAtWork(await atWork(store), session.id, plan.top);
    if (plan.fingerprint !== fingerprint)
      throw new GlassboxError('conflict', 'The files have changed since this was shown. Look again.');
    return reply(context, route.rewind, await goBack(plan, session.id, { paths, hunks, filesOnly }));
  });
  app.openapi(route.undoRewind, async (context) => {
    const session = await findSession(context, context.req.valid('param').session);
    const tops = topsOf(await ownTurns(session, projects));
    const live = await atWork(store);
    for (const top of tops) refuseWhileAtWork(live, session.id, top);
    const done = await undoRewind(session.id);
    if (!done) throw new GlassboxError('not-found', 'There is no rewind of this session that could be taken back.');
    return reply(context, route.undoRewind, done);
  });
}

/** More than that are not at work on one machine. */
const MOST_LIVE = 1000;

async function atWork(store: Store): Promise<SessionRecord[]> {
  const [running, waiting] = await Promise.all([
    store.list({ state: 'running', limit: MOST_LIVE }),
    store.list({ state: 'waiting', limit: MOST_LIVE }),
  ]);
  return [...running.items, ...waiting.items];
}

async function turnOf(turn: TurnFiles): Promise<SessionTurn> {
  const { before, after } = turn;
  const changes = await turnChanges(turn);
  const failed = after?.failed ?? before?.failed;
  return {
    turn: turn.turn,
    runId: turn.runId,
    isKept: after?.commit !== undefined,
    isKeptBefore: before?.commit !== undefined,
    ...(after && { at: after.at }),
    ...(changes && { changes }),
    ...(failed !== undefined && { failed }),
  };
}

function shown({ workTree: _, now: __, then: ___, conversation, ...plan }: PreparedWayBack): RewindPlan {
  const { place: ____, ...told } = conversation;
  return { ...plan, conversation: told };
}
