/** What those ask who watch over a hub: does it live, may it be sent requests, and how much happens. Nothing here tells what sessions are about. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { Store } from '../store/index.js';
import type { OwnRuns } from './own-runs.js';
import { type Env, requires } from './requires.js';

export interface HubRouteNeeds {
  store: Store;
  runs: OwnRuns;
  version: string;
  /** It is about to stop: requests that come still are answered, and no more should be sent. */
  leaving: AbortSignal;
  counts: Counts;
}

/** A store that does not answer for so long is not there for whoever sends requests. */
const PATIENCE_MS = 3000;

/** Requests by kind of address and kind of answer: as many numbers as there are kinds, whatever is asked for. */
export type Counts = Map<string, { requests: number; seconds: number }>;

/** To be put before whatever refuses: those that are not let in count too. */
export function createRequestCount(): { counts: Counts; count: MiddlewareHandler } {
  const counts: Counts = new Map();
  const count: MiddlewareHandler = async (context, next) => {
    const begun = performance.now();
    await next();
    const key = `${kindOf(context.req.path)} ${Math.floor(context.res.status / 100)}xx`;
    const { requests = 0, seconds = 0 } = counts.get(key) ?? {};
    counts.set(key, { requests: requests + 1, seconds: seconds + (performance.now() - begun) / 1000 });
  };
  return { counts, count };
}

export function addHubRoutes(app: OpenAPIHono<Env>, { store, runs, version, leaving, counts }: HubRouteNeeds): void {
  app.get('/health', (context) => context.json({ ok: true }));

  app.get('/ready', async (context) => {
    const problem = leaving.aborted ? 'stopping' : await storeProblem(store);
    return problem === undefined ? context.json({ ready: true }) : context.json({ ready: false, problem }, 503);
  });

  app.get('/metrics', requires('view'), async (context) => {
    const [live, waiting] = await Promise.all([store.list({ state: 'running', limit: 1000 }), store.approvals()]);
    const text = metricsOf({
      counts,
      version,
      ownRuns: runs.count(),
      running: live.items.length,
      waiting: waiting.length,
    });
    return context.text(text, 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
}

/** In one word: who looks needs no more, and whoever has no token learns no more. */
async function storeProblem(store: Store): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('the store does not answer'), PATIENCE_MS);
  });
  const asked = store.list({ limit: 1 }).then(
    () => undefined,
    () => 'the store failed',
  );
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What is asked about, without whatever stands in an address. */
export function kindOf(path: string): string {
  if (!path.startsWith('/api/')) return 'page';
  const [, , first = ''] = path.split('/');
  return /^(store|sessions|runs|jobs|work|workers|search|cost|tokens|audit|budgets)$/.test(first) ? first : 'other';
}

interface Figures {
  counts: Counts;
  version: string;
  ownRuns: number;
  running: number;
  waiting: number;
}

/** In the text format of Prometheus. */
function metricsOf({ counts, version, ownRuns, running, waiting }: Figures): string {
  const { rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const kinds = [...counts].map(([key, count]) => {
    const [kind, status] = key.split(' ');
    return { labels: `{kind="${kind}",status="${status}"}`, ...count };
  });
  return [
    ...metric('glassbox_info', 'gauge', 'The version that runs.', [
      [`{version="${version.replaceAll(/[^\w.+-]/g, '')}"}`, 1],
    ]),
    ...metric(
      'glassbox_requests_total',
      'counter',
      'Requests answered.',
      kinds.map(({ labels, requests }) => [labels, requests]),
    ),
    ...metric(
      'glassbox_request_seconds_total',
      'counter',
      'Time taken to answer them.',
      kinds.map(({ labels, seconds }) => [labels, seconds]),
    ),
    ...metric(
      'glassbox_sessions_running',
      'gauge',
      'Sessions that work, in the whole store; 1000 means at least so many.',
      [['', running]],
    ),
    ...metric('glassbox_approvals_waiting', 'gauge', 'Questions that wait for somebody, in the whole store.', [
      ['', waiting],
    ]),
    ...metric('glassbox_own_runs', 'gauge', 'Agents that this hub runs itself.', [['', ownRuns]]),
    ...metric('process_resident_memory_bytes', 'gauge', 'Memory of this process.', [['', rss]]),
    ...metric('process_cpu_seconds_total', 'counter', 'CPU time of this process.', [['', (user + system) / 1e6]]),
    '',
  ].join('\n');
}

function metric(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  values: readonly (readonly [labels: string, value: number])[],
): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...values.map(([labels, value]) => `${name}${labels} ${value}`),
  ];
}
