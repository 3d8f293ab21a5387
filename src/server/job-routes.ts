/** Jobs for those who send work, and for the workers that do it. */
import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { JobNews } from '../client/api.js';
import { GlassboxError } from '../event/index.js';
import type { JobHold, JobRecord, JobTable, Store } from '../store/index.js';
import type { BudgetWatch } from './budget-watch.js';
import * as route from './fleet-route.js';
import type { JobDesk } from './job-desk.js';
import type { Principal } from './principal.js';
import { reply } from './reply.js';
import type { Env } from './requires.js';
import { fleetOf } from './token-routes.js';

export interface JobRouteNeeds {
  store: Store;
  desk: JobDesk | undefined;
  budgets: BudgetWatch | undefined;
}

export function addJobRoutes(app: OpenAPIHono<Env>, { store, desk, budgets }: JobRouteNeeds): void {
  const deskOf = (): JobDesk => {
    fleetOf(store);
    if (desk) return desk;
    throw new GlassboxError('conflict', 'The server is stopping.');
  };
  const find = async (id: string, { projects }: Principal): Promise<JobRecord> => {
    const job = await fleetOf(store).jobs.find(id);
    if (!job || (projects && !projects.includes(job.project)))
      throw new GlassboxError('not-found', 'There is no such job.');
    return job;
  };

  app.openapi(route.postJob, async (context) => {
    const job = await deskOf().post(context.req.valid('json'), context.get('principal'));
    context.set('deed', { deed: 'job post', subject: job.id });
    return reply(context, route.postJob, job);
  });
  app.openapi(route.listJobs, async (context) => {
    const { projects } = context.get('principal');
    const query = { ...context.req.valid('query'), ...(projects && { projects }) };
    return reply(context, route.listJobs, await fleetOf(store).jobs.list(query));
  });
  app.openapi(route.showJob, async (context) =>
    reply(context, route.showJob, await find(context.req.valid('param').job, context.get('principal'))),
  );
  app.openapi(route.cancelJob, async (context) => {
    const job = await find(context.req.valid('param').job, context.get('principal'));
    const cancelled = await fleetOf(store).jobs.cancel(job.id);
    if (!cancelled) throw new GlassboxError('conflict', `This job is over: ${job.state}.`);
    const { name, via } = context.get('principal');
    // Its worker hears it by the run itself, which is sooner than with the next beat.
    const { runId } = cancelled;
    if (runId !== undefined) void store.tell(runId, { type: 'stop' }, { by: 'person', who: name, via }).catch(() => {});
    return reply(context, route.cancelJob, cancelled);
  });
  app.openapi(route.listWorkers, async (context) => {
    const { projects } = context.get('principal');
    const workers = await fleetOf(store).workers.list();
    const isSeen = (project: string): boolean => projects?.includes(project) ?? true;
    const own = workers.map((worker) => ({ ...worker, projects: worker.projects.filter(isSeen) }));
    return reply(
      context,
      route.listWorkers,
      own.filter((worker) => !projects || worker.projects.length > 0),
    );
  });
  app.openapi(route.listBudgets, async (context) => {
    const { projects, name } = context.get('principal');
    fleetOf(store);
    // Somebody may just have set one.
    budgets?.forget();
    const states = (await budgets?.states()) ?? [];
    const isSeen = (project: string | undefined, principal: string | undefined): boolean =>
      !projects || principal === name || (project !== undefined && projects.includes(project));
    return reply(
      context,
      route.listBudgets,
      states.filter(({ project, principal }) => isSeen(project, principal)),
    );
  });
  app.openapi(route.claimJob, async (context) => {
    const stop = new AbortController();
    (context.env as HttpBindings).outgoing.once('close', () => stop.abort());
    const request = context.req.valid('json');
    return reply(context, route.claimJob, await deskOf().claim(request, context.get('principal'), stop.signal));
  });
  app.openapi(route.beatJobs, async (context) => {
    const { holds } = context.req.valid('json');
    const { leaseMs } = deskOf();
    return reply(context, route.beatJobs, {
      held: await fleetOf(store).jobs.beat(
        holds.map((hold) => ({ ...hold, by: context.get('principal').name })),
        leaseMs,
      ),
    });
  });
  app.openapi(route.tellJob, async (context) => {
    const { jobs } = fleetOf(store);
    const { fence, ...news } = context.req.valid('json');
    const hold = { id: context.req.valid('param').job, fence, by: context.get('principal').name };
    const held = await tell(jobs, hold, news, deskOf().leaseMs);
    return reply(context, route.tellJob, { held });
  });
}

type News = JobNews extends infer One ? (One extends { fence: number } ? Omit<One, 'fence'> : never) : never;

function tell(jobs: JobTable, hold: JobHold, news: News, leaseMs: number): Promise<boolean> {
  switch (news.type) {
    case 'begin':
      return jobs.begin(hold, news.runId, leaseMs);
    case 'end':
      return jobs.end(hold, news.outcome);
    case 'refuse':
      return jobs.refuse(hold, news.reason);
    case 'lose':
      return jobs.lose(hold, news.reason, news.runId);
  }
}
