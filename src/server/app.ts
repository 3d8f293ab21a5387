/** The server's answers, one handler per route of the table; who may ask is decided before, at the perimeter. */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { AgentInfo, Health } from '../client/api.js';
import { GlassboxError } from '../event/index.js';
import type { ApprovalAnswer, ListQuery, SearchQuery, SessionRecord, Store } from '../store/index.js';
import { type Access, COOKIE } from './access.js';
import { limitBody } from './body-size.js';
import { eventStream, message } from './event-stream.js';
import { exportKept } from './export-kept.js';
import type { OwnRuns } from './own-runs.js';
import { createPace } from './pace.js';
import type { Asset } from './page.js';
import { createPerimeter } from './perimeter.js';
import { isUnexpected, refuse, refuseError } from './refusal.js';
import * as route from './route.js';
import { feedRun } from './run-feed.js';
import { feedSessions } from './session-feed.js';

export interface AppOptions {
  store: Store;
  runs: OwnRuns;
  access: Access;
  hosts: readonly string[];
  readOnly: boolean;
  projects: readonly string[];
  version: string;
  agents: () => Promise<AgentInfo[]>;
  page: ReadonlyMap<string, Asset>;
  /** Hears what went wrong inside; never a request's content. */
  log: (text: string) => void;
}

const MOST_BODY_BYTES = 12 * 1024 * 1024;

export function createApp(options: AppOptions): OpenAPIHono {
  const { store, runs, access, page } = options;
  const pace = createPace();
  const app = new OpenAPIHono({
    defaultHook(result, context) {
      if (result.success) return;
      const [issue] = result.error.issues;
      const where = issue?.path.join('.') ?? '';
      return refuse(
        context,
        400,
        'invalid-request',
        where === '' ? `${issue?.message}` : `${where}: ${issue?.message}`,
      );
    },
  });

  app.onError((error, context) => {
    if (isUnexpected(error)) options.log(`${context.req.method} ${context.req.routePath}: ${error.stack}`);
    return refuseError(error, context);
  });
  app.notFound((context) => refuse(context, 404, 'not-found', 'There is nothing at this address.'));
  app.use(createPerimeter(options));
  app.use(limitBody(MOST_BODY_BYTES));

  const findSession = async (ref: string): Promise<SessionRecord> => {
    const session = await store.session(ref);
    if (!session) throw new GlassboxError('not-found', 'There is no such session.');
    return session;
  };

  const findRun = async (runId: string): Promise<void> => {
    if (runs.live(runId)) return;
    const session = await store.session(runId);
    if (!session?.runs.some((run) => run.runId === runId))
      throw new GlassboxError('not-found', 'There is no such run.');
  };

  /** One winner: a second answer hears that it is too late. */
  const decide = async (runId: string, approvalId: string, answer: ApprovalAnswer): Promise<void> => {
    if (runs.answer(runId, approvalId, answer)) return;
    const result = await store.decide(runId, approvalId, answer);
    if (result === 'unknown') {
      const run = (await store.session(runId))?.runs.find((one) => one.runId === runId);
      if (run?.piped) throw new GlassboxError('conflict', 'This run was piped in: it can be watched, not answered.');
      throw new GlassboxError('not-found', 'There is no such approval.');
    }
    if (result === 'late')
      throw new GlassboxError('conflict', 'This was answered already, or the agent no longer waits.');
  };

  const steer = async (runId: string, act: (runId: string) => boolean): Promise<void> => {
    if (act(runId)) return;
    await findRun(runId);
    throw new GlassboxError('conflict', 'This run has ended, or runs in another process.');
  };

  app.openapi(route.health, (context) => {
    const health: Health = {
      ok: true,
      version: options.version,
      readOnly: options.readOnly,
      projects: [...options.projects],
      store: store.location,
      running: runs.count(),
    };
    return context.json(health);
  });
  app.openapi(route.agents, async (context) => context.json(await options.agents()));
  app.openapi(route.listSessions, async (context) => {
    return context.json(await store.list(context.req.valid('query') as ListQuery));
  });
  app.openapi(route.watchSessions, (context) =>
    eventStream(context, async function* (signal) {
      for await (const change of feedSessions(store, signal)) yield message(JSON.stringify(change));
    }),
  );
  app.openapi(route.showSession, async (context) => {
    return context.json(await findSession(context.req.valid('param').session));
  });
  app.openapi(route.removeSession, async (context) => {
    const session = await findSession(context.req.valid('param').session);
    await runs.settle(session);
    await store.delete(session.id);
    return context.json({});
  });
  app.openapi(route.exportSession, async (context) => {
    const session = await findSession(context.req.valid('param').session);
    const { format } = context.req.valid('query');
    const { name, text } = await exportKept(store, session, format);
    return context.body(text, 200, {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    });
  });
  app.openapi(route.say, async (context) => {
    const session = await findSession(context.req.valid('param').session);
    return context.json(await runs.say(session, context.req.valid('json').text), 201);
  });
  app.openapi(route.start, async (context) => context.json(await runs.start(context.req.valid('json')), 201));
  app.openapi(route.events, async (context) => {
    const { run } = context.req.valid('param');
    await findRun(run);
    const last = Number(context.req.header('last-event-id') ?? Number.NaN);
    const from = Number.isInteger(last) ? last + 1 : (context.req.valid('query').from ?? 1);
    const live = runs.live(run);
    return eventStream(context, (signal) => feedRun(run, from, { store, live, pace, signal }));
  });
  app.openapi(route.approve, async (context) => {
    const { run, approval } = context.req.valid('param');
    await decide(run, approval, { type: 'approve', by: 'person', ...context.req.valid('json') });
    return context.json({});
  });
  app.openapi(route.deny, async (context) => {
    const { run, approval } = context.req.valid('param');
    await decide(run, approval, { type: 'deny', by: 'person', ...context.req.valid('json') });
    return context.json({});
  });
  app.openapi(route.answer, async (context) => {
    const { run, approval } = context.req.valid('param');
    await decide(run, approval, { type: 'answer', by: 'person', ...context.req.valid('json') });
    return context.json({});
  });
  app.openapi(route.interrupt, async (context) => {
    await steer(context.req.valid('param').run, runs.interrupt);
    return context.json({});
  });
  app.openapi(route.cancel, async (context) => {
    await steer(context.req.valid('param').run, runs.cancel);
    return context.json({});
  });
  app.openapi(route.search, async (context) => {
    return context.json(await store.search(context.req.valid('query') as SearchQuery));
  });
  app.openapi(route.cost, async (context) => context.json(await store.totals(context.req.valid('query'))));

  app.doc('/openapi.json', { openapi: '3.1.0', info: { title: 'glassbox', version: options.version } });

  app.get('/login', (context) => {
    const cookie = access.logIn(context.req.query('code') ?? '');
    if (cookie === 'slow-down') return refuse(context, 429, 'unauthorized', 'Too many wrong links. Wait a minute.');
    if (cookie === undefined) {
      return refuse(
        context,
        401,
        'unauthorized',
        'This link was used already, or is of an earlier start. Take the newest one.',
      );
    }
    context.header('set-cookie', `${COOKIE}=${cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000`);
    return context.redirect('/');
  });

  app.get('*', (context) => {
    if (context.req.path.startsWith('/api/')) return context.notFound();
    // Addresses of the page itself are no files; they are all the one page.
    const asset = page.get(context.req.path) ?? (/\.\w+$/.test(context.req.path) ? undefined : page.get('/index.html'));
    if (!asset) return context.notFound();
    if (asset.immutable) context.header('cache-control', 'public, max-age=31536000, immutable');
    return context.body(asset.body, 200, { 'content-type': asset.type });
  });
  return app;
}
