/** The server's answers, one handler per route of the table; who may ask is decided before, in `request-check`. */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { AgentInfo } from '../client/api.js';
import { type Decider, GlassboxError, type Instruction } from '../event/index.js';
import { type Agent, handOver } from '../run/index.js';
import { type ListQuery, requireDone, type SearchQuery, type SessionRecord, type Store } from '../store/index.js';
import type { Access } from './access.js';
import type { Address } from './address.js';
import type { Attendance } from './attendance.js';
import { checkBody } from './body.js';
import { createDocument } from './document.js';
import { eventStream, message } from './event-stream.js';
import { exportKept } from './export-kept.js';
import { addLoginRoutes } from './login-routes.js';
import { addDescription } from './openapi.js';
import type { OwnRuns } from './own-runs.js';
import type { Asset } from './page.js';
import type { PresenceSource } from './presence-source.js';
import type { Principal } from './principal.js';
import { refuse, refuseError } from './refusal.js';
import { reply } from './reply.js';
import { type AskedFor, createAccessCheck, createOriginCheck, createOutsideCheck } from './request-check.js';
import type { Env } from './requires.js';
import * as route from './route.js';
import { feedRun } from './run-feed.js';
import { serveDocument } from './serve-document.js';
import { feedSessions } from './session-feed.js';
import { createThrottle } from './throttle.js';
import { createWorkerGuard } from './window.js';

export interface AppOptions {
  store: Store;
  runs: OwnRuns;
  access: Access;
  address: Address;
  readOnly: boolean;
  projects: readonly string[];
  allowsBypass: () => Promise<boolean>;
  version: string;
  agents: () => Promise<AgentInfo[]>;
  /** One of the server's own, or else the name. */
  agentNamed: (name: string) => Agent | string;
  page: ReadonlyMap<string, Asset>;
  attendance: Attendance;
  presences?: PresenceSource | undefined;
  /** Hears what went wrong inside; never a request's content. */
  log: (text: string) => void;
}

const MOST_BODY_BYTES = 12 * 1024 * 1024;

export function createApp(options: AppOptions): OpenAPIHono<Env> {
  const { store, runs, address, page } = options;
  const throttle = createThrottle();
  const app = new OpenAPIHono<Env>({
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

  app.onError((error, context) => refuseError(error, context, options.log));
  app.notFound((context) => refuse(context, 404, 'not-found', 'There is nothing at this address.'));

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

  /** One winner: who comes second hears that it is too late. */
  const tell = async (runId: string, instruction: Instruction, principal: Principal): Promise<void> =>
    requireDone(await runs.tell(runId, instruction, personOf(principal)));

  /** The run refuses it, wherever it runs, and tells. */
  const tellOfAnswer = async ({ run, approval }: AskedFor, inside: string): Promise<void> => {
    const answer = { type: 'answer', approval, answer: { type: 'deny' } } as const;
    await runs.tell(run, answer, { by: 'person', inside }).catch(() => {});
  };

  app.use(createOriginCheck(address));
  app.use(createWorkerGuard(options));
  app.use(checkBody(MOST_BODY_BYTES));
  app.use(createOutsideCheck({ runs, tellOfAnswer }));
  app.use(createAccessCheck(options));

  app.openapi(route.health, async (context) => {
    return reply(context, route.health, {
      ok: true,
      version: options.version,
      readOnly: options.readOnly,
      projects: [...options.projects],
      store: store.location,
      running: runs.count(),
      pid: process.pid,
      bypass: await options.allowsBypass(),
    });
  });
  app.openapi(route.agents, async (context) => reply(context, route.agents, await options.agents()));
  app.openapi(route.listSessions, async (context) => {
    return reply(context, route.listSessions, await store.list(context.req.valid('query') as ListQuery));
  });
  app.openapi(route.watchSessions, (context) =>
    eventStream(context, async function* (signal) {
      using _ = context.get('principal').scopes.has('approve') ? options.attendance.enter() : undefined;
      for await (const change of feedSessions(store, signal, options.presences)) yield message(JSON.stringify(change));
    }),
  );
  app.openapi(route.showSession, async (context) => {
    const session = await findSession(context.req.valid('param').session);
    const presence = await options.presences?.of(session);
    return reply(context, route.showSession, { ...session, ...(presence && { presence }) });
  });
  app.openapi(route.handOver, async (context) => {
    const { id, agent, agentSessionId, cwd } = await findSession(context.req.valid('param').session);
    const { line } = handOver(options.agentNamed(agent), agentSessionId);
    const command = `glassbox open ${id}`;
    return reply(context, route.handOver, { command, own: line, ...(cwd !== undefined && { cwd }) });
  });
  app.openapi(route.removeSession, async (context) => {
    const session = await findSession(context.req.valid('param').session);
    await runs.settle(session);
    await store.delete(session.id);
    return reply(context, route.removeSession, {});
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
    const { text } = context.req.valid('json');
    return reply(context, route.say, await runs.say(session, text, personOf(context.get('principal'))));
  });
  app.openapi(route.start, async (context) => reply(context, route.start, await runs.start(context.req.valid('json'))));
  app.openapi(route.events, async (context) => {
    const { run } = context.req.valid('param');
    await findRun(run);
    const last = Number(context.req.header('last-event-id') ?? Number.NaN);
    const from = Number.isInteger(last) ? last + 1 : (context.req.valid('query').from ?? 1);
    const live = runs.live(run);
    return eventStream(context, (signal) => feedRun(run, from, { store, live, throttle, signal }));
  });
  app.openapi(route.approve, async (context) => {
    const { run, approval } = context.req.valid('param');
    const answer = { type: 'approve', ...context.req.valid('json') } as const;
    await runs.checkRemembered(run, approval, answer.remember ?? []);
    await tell(run, { type: 'answer', approval, answer }, context.get('principal'));
    return reply(context, route.approve, {});
  });
  app.openapi(route.deny, async (context) => {
    const { run, approval } = context.req.valid('param');
    const answer = { type: 'deny', ...context.req.valid('json') } as const;
    await tell(run, { type: 'answer', approval, answer }, context.get('principal'));
    return reply(context, route.deny, {});
  });
  app.openapi(route.answer, async (context) => {
    const { run, approval } = context.req.valid('param');
    const answer = { type: 'answer', ...context.req.valid('json') } as const;
    await tell(run, { type: 'answer', approval, answer }, context.get('principal'));
    return reply(context, route.answer, {});
  });
  app.openapi(route.interrupt, async (context) => {
    await tell(context.req.valid('param').run, { type: 'interrupt' }, context.get('principal'));
    return reply(context, route.interrupt, {});
  });
  app.openapi(route.cancel, async (context) => {
    await tell(context.req.valid('param').run, { type: 'stop' }, context.get('principal'));
    return reply(context, route.cancel, {});
  });
  app.openapi(route.search, async (context) => {
    return reply(context, route.search, await store.search(context.req.valid('query') as SearchQuery));
  });
  app.openapi(route.cost, async (context) =>
    reply(context, route.cost, await store.totals(context.req.valid('query'))),
  );

  addLoginRoutes(app, options);

  addDescription(app, options.version);

  const pageDocument = createDocument(page);
  app.get('*', (context) => {
    const { path } = context.req;
    if (path.startsWith('/api/')) return context.notFound();
    const asset = page.get(path);
    // Addresses of the page itself are no files; they are all the one page.
    const isPage = path === '/index.html' || (!asset && !/\.\w+$/.test(path));
    if (isPage && pageDocument) return serveDocument(context, pageDocument, options);
    if (!asset) return context.notFound();
    if (asset.immutable) context.header('cache-control', 'public, max-age=31536000, immutable');
    return context.body(asset.body, 200, { 'content-type': asset.type });
  });
  return app;
}

/** Who asks, as the record of a run names it. */
function personOf({ name, via }: Principal): Decider {
  return { by: 'person', who: name, via };
}
