/** The server's answers, one handler per route of the table; who may ask is decided before, in `request-check`. */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { forgetSessions } from '../checkpoint/index.js';
import type { AgentInfo } from '../client/api.js';
import { defined, GlassboxError, type Instruction } from '../event/index.js';
import { forgetComments } from '../review/index.js';
import { type Agent, forgetAttachments, handOver } from '../run/index.js';
import {
  type ListQuery,
  requireDone,
  type SearchQuery,
  type SessionLabel,
  type SessionRecord,
  type Store,
  type TotalsQuery,
} from '../store/index.js';
import type { Access } from './access.js';
import type { Address } from './address.js';
import { addAttachmentRoutes } from './attachment-routes.js';
import type { Attendance } from './attendance.js';
import { createAudit } from './audit.js';
import { checkBody } from './body.js';
import type { BudgetWatch } from './budget-watch.js';
import { addChangeRoutes } from './change-routes.js';
import { addComparisonRoutes } from './comparison-route.js';
import { createDocument } from './document.js';
import { eventStream, message } from './event-stream.js';
import { exportKept } from './export-kept.js';
import { addGuestRoutes } from './guest-routes.js';
import { addHubRoutes, createRequestCount } from './hub-routes.js';
import type { JobDesk } from './job-desk.js';
import { addJobRoutes } from './job-routes.js';
import { addLoginRoutes } from './login-routes.js';
import { narrowed } from './narrowed-store.js';
import { addDescription } from './openapi.js';
import type { OwnRuns } from './own-runs.js';
import { type Asset, packedFor } from './page.js';
import { addParkedRoutes } from './parked-routes.js';
import type { ParkedRuns } from './parked-runs.js';
import { knownWorktrees } from './place.js';
import type { PresenceSource } from './presence-source.js';
import { personOf } from './principal.js';
import { createKnownLimit, createUnknownLimit, KNOWN, UNKNOWN } from './rate-limit.js';
import type { RateLimits } from './rate-limits.js';
import { refuse, refuseError } from './refusal.js';
import { reply } from './reply.js';
import { type AskedFor, createAccessCheck, createOriginCheck, createOutsideCheck } from './request-check.js';
import type { RequestFacts } from './request-facts.js';
import { createRequestLog } from './request-log.js';
import type { Env } from './requires.js';
import { addReviewRoutes } from './review-routes.js';
import { addRewindRoutes } from './rewind-routes.js';
import * as route from './route.js';
import { feedRun } from './run-feed.js';
import { serveDocument } from './serve-document.js';
import { feedSessions } from './session-feed.js';
import { addStartRoutes } from './start-routes.js';
import { addStoreRoutes } from './store-routes.js';
import { createThrottle } from './throttle.js';
import { addTokenRoutes } from './token-routes.js';
import { createWaitingApprovals } from './waiting-approvals.js';
import { createWorkerGuard } from './window.js';

export interface AppOptions {
  store: Store;
  runs: OwnRuns;
  access: Access;
  address: Address;
  readOnly: boolean;
  /** Everybody on the way could read along, so nothing but looking is allowed. */
  isOpen: boolean;
  projects: readonly string[];
  allowsBypass: () => Promise<boolean>;
  version: string;
  agents: () => Promise<AgentInfo[]>;
  /** One of the server's own, or else the name. */
  agentNamed: (name: string) => Agent | string;
  page: ReadonlyMap<string, Asset>;
  attendance: Attendance;
  parked: ParkedRuns;
  presences?: PresenceSource | undefined;
  desk?: JobDesk | undefined;
  budgets?: BudgetWatch | undefined;
  rateLimits?: RateLimits | undefined;
  behindProxy?: boolean | undefined;
  /** The server is about to stop. */
  leaving: AbortSignal;
  onRequest?: ((request: RequestFacts) => void) | undefined;
  /** Hears what went wrong inside; never a request's content. */
  log: (text: string) => void;
}

const MOST_BODY_BYTES = 12 * 1024 * 1024;

export function createApp(options: AppOptions): OpenAPIHono<Env> {
  const { store, runs, address, page } = options;
  const throttle = createThrottle();
  const waiting = createWaitingApprovals(store);
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

  /** What the one who asks may see of it. */
  const storeFor = (context: Context<Env>): Store => narrowed(store, context.get('principal'));

  const findSession = async (context: Context<Env>, ref: string): Promise<SessionRecord> => {
    const session = await storeFor(context).session(ref);
    if (!session) throw new GlassboxError('not-found', 'There is no such session.');
    return session;
  };

  const findRun = async (context: Context<Env>, runId: string): Promise<void> => {
    if (runs.live(runId) && !context.get('principal').projects) return;
    const session = await storeFor(context).session(runId);
    if (!session?.runs.some((run) => run.runId === runId))
      throw new GlassboxError('not-found', 'There is no such run.');
  };

  /** One winner: who comes second hears that it is too late. */
  const tell = async (runId: string, instruction: Instruction, context: Context<Env>): Promise<void> => {
    const principal = context.get('principal');
    if (principal.projects) await findRun(context, runId);
    requireDone(await runs.tell(runId, instruction, personOf(principal)));
  };

  /** The run refuses it, wherever it runs, and tells. */
  const tellOfAnswer = async ({ run, approval }: AskedFor, inside: string): Promise<void> => {
    const answer = { type: 'answer', approval, answer: { type: 'deny' } } as const;
    await runs.tell(run, answer, { by: 'person', inside }).catch(() => {});
  };

  app.use(async (context, next) => {
    context.set('leaving', options.leaving);
    await next();
  });
  if (options.onRequest) app.use(createRequestLog(options.onRequest));
  const { counts, count } = createRequestCount();
  app.use(count);
  app.use(createOriginCheck(address));
  app.use(createWorkerGuard(options));
  app.use(checkBody(MOST_BODY_BYTES));
  app.use(createOutsideCheck({ runs, tellOfAnswer }));
  app.use(createUnknownLimit(options.rateLimits?.unknown ?? UNKNOWN, options.behindProxy ?? false));
  app.use(createAccessCheck(options));
  app.use(createKnownLimit(options.rateLimits?.known ?? KNOWN));
  app.use(createAudit(store.fleet?.audit, options.log));

  addHubRoutes(app, { ...options, counts });

  app.openapi(route.health, async (context) => {
    return reply(context, route.health, {
      ok: true,
      version: options.version,
      readOnly: options.readOnly || options.isOpen,
      projects: [...options.projects],
      store: store.location,
      running: runs.count(),
      pid: process.pid,
      bypass: await options.allowsBypass(),
      scopes: [...context.get('principal').scopes],
      worktrees: context.get('principal').projects ? [] : await knownWorktrees(),
    });
  });
  app.openapi(route.agents, async (context) => reply(context, route.agents, await options.agents()));
  app.openapi(route.listSessions, async (context) => {
    return reply(context, route.listSessions, await storeFor(context).list(context.req.valid('query') as ListQuery));
  });
  app.openapi(route.watchSessions, (context) =>
    eventStream(context, async function* (signal) {
      using _ = context.get('principal').scopes.has('approve') ? options.attendance.enter() : undefined;
      const { projects } = context.get('principal');
      const seen = storeFor(context);
      // What processes of this machine do is no project's.
      const sources = projects
        ? { store: seen, waiting: createWaitingApprovals(seen) }
        : { store, waiting, presences: options.presences };
      for await (const change of feedSessions(sources, signal)) yield message(JSON.stringify(change));
    }),
  );
  app.openapi(route.showSession, async (context) => {
    const session = await findSession(context, context.req.valid('param').session);
    const presence = await options.presences?.of(session);
    return reply(context, route.showSession, { ...session, ...(presence && { presence }) });
  });
  app.openapi(route.handOver, async (context) => {
    const { id, agent, agentSessionId, cwd } = await findSession(context, context.req.valid('param').session);
    const { line } = handOver(options.agentNamed(agent), agentSessionId);
    const command = `glassbox open ${id}`;
    return reply(context, route.handOver, { command, own: line, ...(cwd !== undefined && { cwd }) });
  });
  app.openapi(route.labelSession, async (context) => {
    const { id } = await findSession(context, context.req.valid('param').session);
    return reply(context, route.labelSession, await store.label(id, defined<SessionLabel>(context.req.valid('json'))));
  });
  app.openapi(route.removeSession, async (context) => {
    const session = await findSession(context, context.req.valid('param').session);
    await runs.settle(session);
    // What belongs to it goes first, so that nothing is left that nobody knows of; of one that lives nothing goes.
    if ((await store.session(session.id))?.state === 'ended') {
      await forgetSessions([session]);
      await forgetComments([session]);
      forgetAttachments([session]);
    }
    await store.delete(session.id);
    return reply(context, route.removeSession, {});
  });
  app.openapi(route.exportSession, async (context) => {
    const session = await findSession(context, context.req.valid('param').session);
    const { format } = context.req.valid('query');
    const { name, text } = await exportKept(store, session, format);
    return context.body(text, 200, {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    });
  });
  app.openapi(route.say, async (context) => {
    const session = await findSession(context, context.req.valid('param').session);
    const said = context.req.valid('json');
    return reply(context, route.say, await runs.say(session, said, personOf(context.get('principal'))));
  });
  app.openapi(route.events, async (context) => {
    const { run } = context.req.valid('param');
    await findRun(context, run);
    const last = Number(context.req.header('last-event-id') ?? Number.NaN);
    const from = Number.isInteger(last) ? last + 1 : (context.req.valid('query').from ?? 1);
    const live = runs.live(run);
    return eventStream(context, (signal) => feedRun(run, from, { store, live, throttle, signal }));
  });
  app.openapi(route.approve, async (context) => {
    const { run, approval } = context.req.valid('param');
    const answer = { type: 'approve', ...context.req.valid('json') } as const;
    await runs.checkRemembered(run, approval, answer.remember ?? []);
    await tell(run, { type: 'answer', approval, answer }, context);
    return reply(context, route.approve, {});
  });
  app.openapi(route.deny, async (context) => {
    const { run, approval } = context.req.valid('param');
    const answer = { type: 'deny', ...context.req.valid('json') } as const;
    await tell(run, { type: 'answer', approval, answer }, context);
    return reply(context, route.deny, {});
  });
  app.openapi(route.answer, async (context) => {
    const { run, approval } = context.req.valid('param');
    const answer = { type: 'answer', ...context.req.valid('json') } as const;
    await tell(run, { type: 'answer', approval, answer }, context);
    return reply(context, route.answer, {});
  });
  app.openapi(route.interrupt, async (context) => {
    await tell(context.req.valid('param').run, { type: 'interrupt' }, context);
    return reply(context, route.interrupt, {});
  });
  app.openapi(route.cancel, async (context) => {
    await tell(context.req.valid('param').run, { type: 'stop' }, context);
    return reply(context, route.cancel, {});
  });
  app.openapi(route.decisions, async (context) =>
    reply(context, route.decisions, await storeFor(context).decisions(context.req.valid('query'))),
  );
  app.openapi(route.search, async (context) => {
    return reply(context, route.search, await storeFor(context).search(context.req.valid('query') as SearchQuery));
  });
  app.openapi(route.cost, async (context) =>
    reply(context, route.cost, await storeFor(context).totals(context.req.valid('query') as TotalsQuery)),
  );

  addChangeRoutes(app, { projects: options.projects, findSession });
  addStartRoutes(app, options);
  addAttachmentRoutes(app);
  addComparisonRoutes(app, { findSession });
  addParkedRoutes(app, { parked: options.parked, findSession });
  addReviewRoutes(app, { store, runs, projects: options.projects, findSession });
  addRewindRoutes(app, { store, projects: options.projects, findSession });
  addLoginRoutes(app, options);
  addGuestRoutes(app, options);
  addStoreRoutes(app, options);
  addTokenRoutes(app, options);
  addJobRoutes(app, { store, desk: options.desk, budgets: options.budgets });

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
    const small = packedFor(asset, context.req.header('accept-encoding'));
    context.header('vary', 'accept-encoding');
    if (small) context.header('content-encoding', 'gzip');
    return context.body(small ?? asset.body, 200, { 'content-type': asset.type });
  });
  return app;
}
