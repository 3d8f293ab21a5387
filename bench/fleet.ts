/** Rows 40 and 41: what a fleet costs: Postgres for events with their words, a worker against a run that is kept on its own machine; and how soon others see and are heard. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { removePostgres, startPostgres } from '../src/cli/postgres/server.js';
import { createClient } from '../src/client/index.js';
import type { AgentEvent } from '../src/event/index.js';
import { run } from '../src/run/index.js';
import { startServer } from '../src/server/index.js';
import { keepRun, openHub, openStore, type RunKeeper, type Store } from '../src/store/index.js';
import { openSpool } from '../src/worker/spool.js';
import { createSpooledRun } from '../src/worker/spooled-store.js';
import { delta, init, result, streamStart } from '../test/fake-agent/lines.js';
import { measureRounds } from './support/rounds.js';
import { report } from './support/row.js';
import { createStories } from './support/story.js';

const EVENTS = 50_000;
const BATCH = 100;
const DELTAS = 8000;
const TOKEN = 'bench';
/** One tick of the kernel's clock. */
const TICK_MS = 10;
const PER_SECOND = 2000;
const SECONDS = 5;
const QUESTIONS = 100;

if (process.argv[2] === 'hub') await serveHub(process.argv[3] ?? '');
else await measure();

/** In a process of its own, so that its work is not counted. */
async function serveHub(location: string): Promise<void> {
  const store = await openStore(location);
  const limits = { known: { burst: 1e9, perSecond: 1e9 } };
  const server = await startServer({ store, port: 0, token: TOKEN, projects: [], rateLimits: limits });
  console.log(server.url);
  await once(process.stdin.resume(), 'end');
  await server.close();
  await store.close();
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-bench-'));
  const postgres = await startPostgres();
  const direct = await openStore(postgres.location);
  const seconds = await postgresSeconds(direct, postgres.pid);
  await direct.close();
  const [hub, other] = await Promise.all([startHub(postgres.location), startHub(postgres.location)]);
  const local = await openStore(join(folder, 'store.db'));
  const far = openHub({ url: hub.url, token: TOKEN });
  const times = await measureRounds(
    {
      local: () => keptRun(() => ({ store: local })),
      worker: () =>
        keptRun((start) => {
          const spool = openSpool(folder, { start, job: { id: 'j', fence: 1 }, hub: hub.url, pid: process.pid });
          return { store: createSpooledRun({ hub: far, spool }).store, end: () => spool.remove() };
        }),
    },
    { rounds: 5, warmUp: 1 },
  );
  const seen = await viewerMs(far, other.url);
  const heard = await answerMs(far, other.url);
  await far.close();
  await local.close();
  await Promise.all([hub.stop(), other.stop()]);
  await removePostgres(postgres);
  rmSync(folder, { recursive: true });

  const cost = 1 / times.ratio('worker', 'local');
  report([
    {
      row: 40,
      what: 'CPU of Postgres for 100,000 events, with the search index',
      against: 'nothing',
      goal: '≤ 4',
      value: seconds,
      unit: 's',
      ok: seconds <= 4,
      also: {},
    },
    {
      row: 41,
      what: `CPU of a worker for a run with ${DELTAS.toLocaleString('en')} deltas, its hub elsewhere`,
      against: 'the same run kept in a file on the same machine',
      goal: '≤ 1.50',
      value: cost,
      unit: '×',
      ok: cost <= 1.5,
      also: {
        worker: `${Math.round(times.ms('worker'))} ms`,
        'kept in a file': `${Math.round(times.ms('local'))} ms`,
        [`from a run to who looks at another hub, at ${PER_SECOND} events/s`]: seen,
        'from an answer at another hub to the run': heard,
      },
    },
  ]);
}

async function postgresSeconds(store: Store, postmaster: number): Promise<number> {
  const stories = createStories();
  const runs = Array.from({ length: 8 }, (_, number) => stories.run(number, EVENTS / 8));
  const before = cpuOf(postmaster);
  await Promise.all(
    runs.map(async (events) => {
      for (let at = 0; at < events.length; at += BATCH) await store.append(events.slice(at, at + BATCH));
    }),
  );
  return ((cpuOf(postmaster) - before) / 1000) * (100_000 / EVENTS);
}

/** Of the server, of those that it started and of those that are gone, in ms. */
function cpuOf(postmaster: number): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [parent = 0, user = 0, system = 0, childUser = 0, childSystem = 0] = [1, 11, 12, 13, 14].map(
        (n) => fields[n],
      );
      if (Number(pid) === postmaster) ticks += user + system + childUser + childSystem;
      else if (parent === postmaster) ticks += user + system;
    } catch {}
  }
  return ticks * TICK_MS;
}

async function startHub(location: string): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'hub', location], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url,
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

type Start = Parameters<typeof openSpool>[1]['start'];

async function keptRun(keeping: (start: Start) => { store: RunKeeper; end?: () => void }): Promise<void> {
  const script = [init(), ...streamStart(), { ...delta('twelve chars'), times: DELTAS }, result('x')];
  const handle = run({
    ...{ agent: 'claude', prompt: 'go', program: resolve('test/fake-agent/fake-agent.mjs'), survivorGraceMs: 100 },
    env: { FAKE_AGENT_SCRIPT: JSON.stringify(script) },
  });
  const { runId, agent, terms, beginning } = handle;
  const { store, end } = keeping({ runId, agent, terms, ...beginning });
  await keepRun(handle, { store }).done;
  end?.();
}

type Stamp = Pick<AgentEvent, 'seq' | 'at' | 'runId' | 'agent' | 'turn' | 'source'>;

function stamp(runId: string, seq: number): Stamp {
  return { seq, at: Date.now(), runId, agent: 'fake', turn: 1, source: 'stream' };
}

async function viewerMs(store: Store, url: string): Promise<string> {
  const runId = 'seen';
  await store.startRun({ runId, agent: 'fake', startedAt: Date.now() });
  const delays: number[] = [];
  const stop = new AbortController();
  const viewing = (async () => {
    for await (const { at } of createClient({ url, token: TOKEN }).events(runId, { signal: stop.signal }))
      if (delays.push(Date.now() - at) === PER_SECOND * SECONDS) return;
  })();
  const perBatch = PER_SECOND / 20;
  for (let batch = 0; batch < 20 * SECONDS; batch += 1) {
    const due = new Promise((go) => setTimeout(go, 50));
    const events = Array.from(
      { length: perBatch },
      (_, n): AgentEvent => ({
        ...{
          ...stamp(runId, batch * perBatch + n + 1),
          type: 'text-end',
          messageId: `m${n}`,
          index: 0,
          text: 'some words',
        },
      }),
    );
    await Promise.all([store.append(events), due]);
  }
  await viewing;
  stop.abort();
  return percentiles(delays);
}

async function answerMs(store: Store, url: string): Promise<string> {
  const runId = 'heard';
  await store.startRun({ runId, agent: 'fake', startedAt: Date.now() });
  const client = createClient({ url, token: TOKEN });
  const delays: number[] = [];
  let toldAt = 0;
  const stop = new AbortController();
  const hearing = (async () => {
    for await (const { id } of store.instructions(runId, { signal: stop.signal })) {
      delays.push(performance.now() - toldAt);
      await store.acknowledge(runId, id, { outcome: 'done' });
    }
  })();
  for (let n = 1; n <= QUESTIONS; n += 1) {
    await store.append([{ ...stamp(runId, n), type: 'approval-request', id: `q${n}`, kind: 'tool' } as AgentEvent]);
    toldAt = performance.now();
    await client.approve(runId, `q${n}`);
  }
  stop.abort();
  await hearing;
  return percentiles(delays);
}

function percentiles(delays: readonly number[]): string {
  const sorted = [...delays].sort((one, other) => one - other);
  const at = (share: number): number => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}
