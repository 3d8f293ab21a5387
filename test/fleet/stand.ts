/** Everything that can die: a Postgres, hubs over it, workers with a line to them. Each is a process, killed and started again at will. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type PostgresServer, removePostgres, stopPostgres } from '../../src/cli/postgres/server.js';
import { startOwnPostgres } from '../support/postgres.js';
import { type BadLine, openBadLine } from './bad-line.js';

export interface Member {
  readonly name: string;
  pid(): number | undefined;
  kill(): Promise<void>;
  start(): void;
  freeze(): void;
  thaw(): void;
  /** As somebody would who wants it to end well. */
  stop(): Promise<void>;
}

export interface WorkerMember extends Member {
  readonly line: BadLine;
  /** Its disk takes nothing, or does again. */
  fill(isFull: boolean): void;
}

export interface Stand {
  readonly location: string;
  readonly hubs: readonly Member[];
  readonly workers: readonly WorkerMember[];
  /** To all hubs, for people. */
  readonly line: BadLine;
  readonly token: string;
  readonly folder: string;
  readonly ledger: string;
  killPostgres(): Promise<void>;
  startPostgres(): Promise<void>;
  /** Numbers of processes that are of this stand and live. */
  alive(): string[];
  close(): Promise<void>;
}

export interface StandOptions {
  folder: string;
  hubs: number;
  workers: number;
  leaseMs: number;
  location?: string;
}

const FIVE_MINUTES = 5 * 60_000;
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

export async function openStand({
  folder,
  hubs: hubCount,
  workers: workerCount,
  leaseMs,
}: StandOptions): Promise<Stand> {
  const mark = randomUUID();
  const token = randomUUID();
  const ledger = path.join(folder, 'ledger');
  mkdirSync(ledger, { recursive: true });
  const env = {
    FLEET_MARK: mark,
    TMPDIR: tmpdir(),
    NODE_OPTIONS: `--import=${here('odd-world.mjs')}`,
    PATH: process.env.PATH ?? '',
  };
  // Beside the folder of the tests, which is for this user alone: as root Postgres runs as somebody else.
  const own = { folder: `${tmpdir()}-fleet-${mark}`, env: { FLEET_MARK: mark, TMPDIR: tmpdir() } };
  // What is acknowledged must survive the death of the server, not that of the machine.
  const settings = { fsync: 'off', max_connections: '200' };
  let postgres: PostgresServer = await startOwnPostgres({ ...own, settings });
  const { port, location } = postgres;

  const ports = await Promise.all(Array.from({ length: hubCount }, freePort));
  const line = await openBadLine(() => ports);
  const lines = await Promise.all(Array.from({ length: workerCount }, () => openBadLine(() => ports)));
  const names = [line, ...lines].map(({ url }) => new URL(url).host).join(' ');
  const skewOf = (index: number): string => String([0, FIVE_MINUTES, -FIVE_MINUTES][index % 3]);
  const hubs = ports.map((hubPort, index) =>
    member(`hub-${index}`, path.join(folder, `hub-${index}.log`), () => ({
      words: [here('hub-process.mjs')],
      env: {
        ...{ ...env, FLEET_STORE: location, FLEET_PORT: String(hubPort), FLEET_TOKEN: token },
        ...{ FLEET_LEASE_MS: String(leaseMs), FLEET_SKEW_MS: skewOf(index), FLEET_NAMES: names },
      },
    })),
  );
  for (const hub of hubs) hub.start();
  const workers = lines.map((own, index) => worker(index, own, path.join(folder, `worker-${index}`)));

  function worker(index: number, own: BadLine, home: string): WorkerMember {
    const name = `worker-${index}`;
    const full = path.join(home, 'full');
    mkdirSync(path.join(home, 'shop'), { recursive: true });
    const program = here('scripted-agent.sh');
    const settings = { agents: { claude: { program, env: { FLEET_LEDGER: ledger } } } };
    writeFileSync(path.join(home, 'glassbox.json'), JSON.stringify(settings));
    writeFileSync(path.join(home, 'worker.json'), JSON.stringify({ projects: { shop: './shop' }, agents: ['claude'] }));
    const files = ['--file', path.join(home, 'worker.json'), '--token-file', path.join(folder, 'worker.token')];
    const words = ['worker', '--hub', own.url, '--name', name, '--max', '4', ...files];
    const made = member(name, path.join(folder, `${name}.log`), () => ({
      words: [here('../../dist/cli.js'), ...words],
      env: {
        ...{ ...env, HOME: home, GLASSBOX_STATE_DIR: path.join(home, 'state') },
        ...{ GLASSBOX_CONFIG: path.join(home, 'glassbox.json'), FLEET_SKEW_MS: skewOf(index + 1), FLEET_FULL: full },
      },
    }));
    return {
      ...made,
      line: own,
      fill: (isFull) => (isFull ? writeFileSync(full, '') : rmSync(full, { force: true })),
    };
  }

  return {
    ...{ location, hubs, workers, line, token, folder, ledger },
    async killPostgres() {
      process.kill(postgres.pid, 'SIGKILL');
      await stopPostgres(postgres);
    },
    async startPostgres() {
      // Its children live a moment longer, and keep the memory that the next one wants.
      for (;;) {
        try {
          postgres = await startOwnPostgres({ ...own, settings, port });
          return;
        } catch {
          await sleep(200);
        }
      }
    },
    alive: () => marked(mark),
    async close() {
      await Promise.all([...workers, ...hubs].map((one) => one.stop()));
      await Promise.all([line, ...workers.map((one) => one.line)].map((one) => one.close()));
      await removePostgres(postgres);
    },
  };
}

function member(name: string, log: string, how: () => { words: string[]; env: Record<string, string> }): Member {
  let child: ChildProcess | undefined;
  let ended: Promise<void> = Promise.resolve();
  let isWanted = false;

  const start = (): void => {
    isWanted = true;
    const { words, env } = how();
    const out = openSync(log, 'a');
    const started = spawn(process.execPath, words, { env, stdio: ['ignore', out, out] });
    closeSync(out);
    child = started;
    ended = new Promise((resolve) =>
      started.once('close', () => {
        resolve();
        // As whatever starts services would.
        if (isWanted) setTimeout(() => isWanted && child === started && start(), 500);
      }),
    );
  };

  return {
    name,
    pid: () => child?.pid,
    start,
    async kill() {
      isWanted = false;
      child?.kill('SIGKILL');
      await ended;
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async stop() {
      isWanted = false;
      child?.kill('SIGCONT');
      child?.kill('SIGTERM');
      const late = setTimeout(() => child?.kill('SIGKILL'), 30_000);
      await ended;
      clearTimeout(late);
    },
  };
}

/** Whose environment has the word. */
function marked(word: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(word)) return [];
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return words === '' ? [] : [`${pid} ${words.slice(0, 120)}`];
    } catch {
      return [];
    }
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
