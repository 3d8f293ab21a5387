/** Agents are started, and what there is to choose from before: only in the server's projects, and not by who is let in for some projects alone. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { tryGit } from '../checkpoint/index.js';
import { GlassboxError } from '../event/index.js';
import type { Store } from '../store/index.js';
import type { BudgetWatch } from './budget-watch.js';
import type { OwnRuns } from './own-runs.js';
import { directoryFor } from './place.js';
import type { Principal } from './principal.js';
import { createProjectFiles } from './project-files.js';
import { reply } from './reply.js';
import type { Env } from './requires.js';
import * as route from './route.js';

export interface StartRouteOptions {
  store: Store;
  runs: OwnRuns;
  projects: readonly string[];
  budgets?: BudgetWatch | undefined;
}

export function addStartRoutes(app: OpenAPIHono<Env>, { store, runs, projects, budgets }: StartRouteOptions): void {
  const files = createProjectFiles();

  app.openapi(route.start, async (context) => {
    const principal = context.get('principal');
    refuseForSome(principal);
    budgets?.forget();
    const { parked } = (await budgets?.verdict({ project: undefined, principal: principal.name })) ?? {};
    if (parked !== undefined) throw new GlassboxError('conflict', `Nothing is started now. ${parked}`);
    const started = await runs.start(context.req.valid('json'), principal.name);
    context.set('deed', { deed: 'run', subject: started.runId });
    return reply(context, route.start, started);
  });
  app.openapi(route.startChoices, async (context) => {
    refuseForSome(context.get('principal'));
    const { agent, cwd: wanted } = context.req.valid('query');
    const cwd = await directoryFor(wanted, projects);
    const [used, told, worktree] = await Promise.all([
      usedModels(store, agent),
      toldBy(store, agent, cwd),
      hasCommit(cwd),
    ]);
    const models = [...new Set([...told.models, ...used])];
    const listed = told.models.length > 0;
    return reply(context, route.startChoices, { models, listed, commands: told.commands, worktree });
  });
  app.openapi(route.findFiles, async (context) => {
    refuseForSome(context.get('principal'));
    const { text, cwd } = context.req.valid('query');
    return reply(context, route.findFiles, await files.find(await directoryFor(cwd, projects), text));
  });
}

function refuseForSome({ name, projects }: Principal): void {
  if (!projects) return;
  throw new GlassboxError(
    'forbidden',
    `${name} is let in for some projects only. Send the work to a worker that has them: POST /api/jobs.`,
  );
}

async function usedModels(store: Store, agent: string): Promise<string[]> {
  const totals = await store.totals({ by: 'model', agent });
  const used = [...totals].sort((left, right) => right.sessions - left.sessions);
  return used.flatMap(({ key }) => (key === '' ? [] : [key])).slice(0, MOST_MODELS);
}

const MOST_MODELS = 30;
/** An agent introduces itself at once; what it learns later about its commands follows soon. */
const FIRST_EVENTS = 200;
const RUNS_ASKED = 3;

interface Told {
  commands: string[];
  models: string[];
}

/** As its latest sessions told it, those of the directory before others. */
async function toldBy(store: Store, agent: string, project: string): Promise<Told> {
  const told: Told = { commands: [], models: [] };
  for (const query of [{ agent, project }, { agent }]) {
    const { items } = await store.list({ ...query, limit: RUNS_ASKED });
    for (const { runs } of items) {
      if (told.commands.length > 0 && told.models.length > 0) return told;
      const { commands, models } = await toldInRun(store, runs.at(-1)?.runId ?? '');
      if (told.commands.length === 0) told.commands = commands;
      if (told.models.length === 0) told.models = models;
    }
  }
  return told;
}

async function toldInRun(store: Store, runId: string): Promise<Told> {
  const told: Told = { commands: [], models: [] };
  try {
    for await (const event of store.read(runId)) {
      if ('commands' in event && event.commands) told.commands = event.commands;
      if (event.type === 'session-start' || event.type === 'session-update') told.models = event.models ?? told.models;
      if (event.seq > FIRST_EVENTS) break;
    }
  } catch {
    // It was removed a moment ago.
  }
  return told;
}

async function hasCommit(cwd: string): Promise<boolean> {
  const found = await tryGit(['rev-parse', '-q', '--verify', 'HEAD^{commit}'], { cwd }).catch(() => undefined);
  return found?.status === 0;
}
