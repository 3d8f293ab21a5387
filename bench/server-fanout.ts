/** Row 11: one server with many runs of its own and several viewers of each, who all hear everything in time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import type { AgentEvent } from '../src/event/index.js';
import { createAccess } from '../src/server/access.js';
import { createApp } from '../src/server/app.js';
import { createAttendance } from '../src/server/attendance.js';
import { createLiveRun, type LiveRun } from '../src/server/live-run.js';
import { openLobby } from '../src/server/lobby.js';
import type { OwnRuns } from '../src/server/own-runs.js';
import { createParkedRuns } from '../src/server/parked-runs.js';
import { createRecorder, openStore, type Recorder } from '../src/store/index.js';
import { report } from './support/row.js';

const RUNS = 500;
const VIEWERS = 4;
const PERIOD_MS = 50;
/** Events of each run before its text is over and a tool is called. */
const MESSAGE = 40;
const WARM_UP_MS = 4_000;
const MEASURED_MS = 10_000;
const LIMIT_MS = 250;

interface Script {
  live: LiveRun;
  recorder: Recorder;
  runId: string;
  seq: number;
  nextAt: number;
}

interface Heard {
  /** Latencies in ms, as counts by their whole number. */
  counts: number[];
  lost: number;
  events: number;
  chunks: number;
  /** CPU of the viewers while they counted, in ms. */
  cpuMs: number;
}

if (process.argv[2] === 'view') await view(Number(process.argv[3]), process.argv[4] ?? '');
else await measure();

async function measure(): Promise<void> {
  const store = await openStore(':memory:');
  const scripts = new Map(Array.from({ length: RUNS }, (_, index) => [`run-${index}`, begin(`run-${index}`, index)]));
  const token = 'viewers';
  const access = createAccess({
    lobby: await openLobby(),
    tokens: [{ name: 'viewers', token }],
    isOurs: () => false,
    log: console.error,
  });
  const app = createApp({
    leaving: new AbortController().signal,
    // All viewers have one name here, and come at once.
    rateLimits: { known: { burst: 2 * RUNS * VIEWERS, perSecond: RUNS } },
    store,
    access,
    runs: { live: (runId: string) => scripts.get(runId)?.live } as OwnRuns,
    address: {
      url: '',
      front: '',
      isBehindProxy: false,
      isHereAlone: true,
      answersTo: () => true,
      elsewhere: [],
      isHome: () => true,
      isOurs: () => false,
    },
    allowsBypass: async () => false,
    agentNamed: (name) => name,
    attendance: createAttendance(),
    parked: createParkedRuns({ store, runs: { goOn: () => Promise.reject() }, readOnly: true, log: console.error }),
    ...{
      readOnly: true,
      isOpen: false,
      projects: [],
      version: '0',
      agents: async () => [],
      page: new Map(),
      log: console.error,
    },
  });
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0, overrideGlobalObjects: false });
  await once(server, 'listening');
  const viewers = spawn(
    process.execPath,
    [fileURLToPath(import.meta.url), 'view', String((server.address() as AddressInfo).port), token],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const told = createInterface({ input: viewers.stdout })[Symbol.asyncIterator]();
  await told.next();

  const cpu = process.cpuUsage();
  const start = performance.now();
  await play([...scripts.values()], WARM_UP_MS);
  viewers.stdin.write('count\n');
  await play([...scripts.values()], MEASURED_MS);
  viewers.stdin.write('stop\n');
  const { user, system } = process.cpuUsage(cpu);
  const share = (user + system) / 1000 / (performance.now() - start);
  const heard = JSON.parse(String((await told.next()).value)) as Heard;
  await end(viewers);
  server.close();
  await Promise.all([...scripts.values()].map(({ recorder }) => recorder.close()));
  await store.close();

  const expected = ((RUNS * MEASURED_MS) / PERIOD_MS) * VIEWERS;
  const value = percentile(heard.counts, 0.99);
  report([
    {
      row: 11,
      what: `${RUNS} runs × ${VIEWERS} viewers × ${1000 / PERIOD_MS} events/s: from the event to the viewer, p99`,
      against: 'a wait that nobody notices',
      goal: `≤ ${LIMIT_MS} ms, nothing lost`,
      value,
      unit: 'ms',
      ok: value <= LIMIT_MS && heard.lost === 0 && heard.events >= 0.97 * expected,
      also: {
        median: `${percentile(heard.counts, 0.5)} ms`,
        heard: `${heard.events.toLocaleString('en')} of about ${expected.toLocaleString('en')}, ${heard.lost} lost`,
        'events in one piece': (heard.events / heard.chunks).toFixed(1),
        'the server with its store': `${Math.round(100 * share)} % of a core`,
        'the viewers': `${Math.round((100 * heard.cpuMs) / MEASURED_MS)} % of a core`,
      },
    },
  ]);

  function begin(runId: string, index: number): Script {
    const run = { runId, agent: 'fake', startedAt: Date.now() };
    const recorder = createRecorder({ store, start: run, onFailure: (error) => console.error(error.message) });
    return { live: createLiveRun(), recorder, runId, seq: 0, nextAt: (PERIOD_MS * index) / RUNS };
  }
}

/** Each run says something every 50 ms, all at different moments. */
async function play(scripts: Script[], forMs: number): Promise<void> {
  const start = performance.now();
  const first = scripts.map(({ nextAt }) => nextAt % PERIOD_MS);
  for (const [index, script] of scripts.entries()) script.nextAt = first[index] ?? 0;
  for (let now = 0; now < forMs; now = performance.now() - start) {
    for (const script of scripts) {
      for (; script.nextAt <= now; script.nextAt += PERIOD_MS) {
        const event = next(script);
        script.recorder.push(event);
        script.live.push(event);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

function next(script: Script): AgentEvent {
  script.seq += 1;
  const { seq, runId } = script;
  const stamp = { seq, at: Date.now(), runId, agent: 'fake', source: 'stream', turn: 1 } as const;
  const message = { messageId: `m${Math.floor(seq / MESSAGE)}`, index: 0 };
  if (seq % MESSAGE === MESSAGE - 1) return { type: 'text-end', text: 'word '.repeat(MESSAGE), ...message, ...stamp };
  if (seq % MESSAGE === 0) return { type: 'tool-start', id: `t${seq}`, name: 'Bash', kind: 'execute', ...stamp };
  return { type: 'text-delta', text: 'and some words more ', ...message, ...stamp };
}

/** In a process of its own: every viewer of every run, with as little work as can be, so that the server is what is measured. */
async function view(port: number, token: string): Promise<void> {
  const heard: Heard = { counts: [], lost: 0, events: 0, chunks: 0, cpuMs: 0 };
  let before = process.cpuUsage();
  let counting = false;
  const connected = Array.from({ length: RUNS * VIEWERS }, async (_, index) => {
    const socket = connect(port, '127.0.0.1');
    socket.setEncoding('latin1');
    let rest = '';
    let last = 0;
    socket.on('data', (text: string) => {
      const now = Date.now();
      rest += text;
      if (counting) heard.chunks += 1;
      for (let from = rest.indexOf('\nid: '); from >= 0; ) {
        const to = rest.indexOf('\n\n', from + 1);
        if (to < 0) break;
        const seq = Number.parseInt(rest.slice(from + 5, from + 16), 10);
        if (last > 0 && seq !== last + 1) heard.lost += 1;
        last = seq;
        if (counting) {
          const at = rest.indexOf('"at":', from);
          const latency = now - Number.parseInt(rest.slice(at + 5, at + 18), 10);
          heard.counts[latency] = (heard.counts[latency] ?? 0) + 1;
          heard.events += 1;
        }
        rest = rest.slice(to + 1);
        from = rest.indexOf('\nid: ');
      }
    });
    socket.write(
      `GET /api/runs/run-${index % RUNS}/events HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n\r\n`,
    );
    const [first] = (await once(socket, 'data')) as [string];
    if (!first.startsWith('HTTP/1.1 200 ')) throw new Error(`A viewer was refused: ${first.slice(0, 40)}`);
    return socket;
  });
  const sockets = await Promise.all(connected);
  console.log('ready');
  for await (const word of createInterface({ input: process.stdin })) {
    if (word !== 'count') break;
    counting = true;
    before = process.cpuUsage();
  }
  const { user, system } = process.cpuUsage(before);
  heard.cpuMs = (user + system) / 1000;
  console.log(JSON.stringify({ ...heard, counts: Array.from(heard.counts, (count) => count ?? 0) }));
  for (const socket of sockets) socket.destroy();
  process.stdin.destroy();
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) await once(child, 'exit');
}

function percentile(counts: readonly number[], share: number): number {
  const all = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  return counts.findIndex((count) => {
    seen += count;
    return seen >= share * all;
  });
}
