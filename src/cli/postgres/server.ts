/** A Postgres server of our own on loopback, in a folder of its own. As root it runs as somebody else, because it refuses root. */
import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GlassboxError } from '../../event/index.js';
import { bringPostgres, type PostgresPrograms } from './program.js';

export interface PostgresServer {
  /** As a store takes it. */
  readonly location: string;
  readonly pid: number;
  readonly folder: string;
  readonly port: number;
}

export interface PostgresOptions {
  /** Where its data is, or will be; a temporary one when absent. */
  folder?: string;
  port?: number;
  /** What its environment has, by which it can be found. */
  env?: Record<string, string>;
  /** Settings by their names. */
  settings?: Record<string, string>;
  say?: (text: string) => void;
}

const USER = 'glassbox';
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Resolves when it takes connections. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const programs = await bringPostgres(options.say ?? (() => {}));
  const folder = options.folder ?? mkdtempSync(path.join(tmpdir(), 'glassbox-postgres-'));
  const data = path.join(folder, 'data');
  const as = process.getuid?.() === 0 ? NOBODY : undefined;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (as) chownSync(folder, as.uid, as.gid);
  const env = { PATH: process.env.PATH ?? '', HOME: folder, LC_ALL: 'C', ...options.env };
  if (!isMade(data)) await make(programs, data, { ...as, env });
  const port = options.port ?? (await freePort());
  const log = openSync(path.join(folder, 'log'), 'a', 0o600);
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...options.settings };
  const child = spawn(
    programs.postgres,
    [
      '-D',
      data,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...as, env, cwd: folder, detached: true, stdio: ['ignore', log, log] },
  );
  child.unref();
  await waitUntilReady(data, child.pid, () => child.exitCode !== null, folder);
  return { location: `postgres://${USER}@127.0.0.1:${port}/postgres`, pid: child.pid ?? 0, folder, port };
}

/** Ends it, gently first, and waits. */
export async function stopPostgres({ pid }: Pick<PostgresServer, 'pid'>): Promise<void> {
  signal(pid, 'SIGINT');
  for (let look = 0; look < 100 && isThere(pid); look += 1) await pause();
  signal(pid, 'SIGKILL');
  for (let look = 0; look < 100 && isThere(pid); look += 1) await pause();
}

/** Without waiting: its children see that it is gone. */
export function killPostgres({ pid }: Pick<PostgresServer, 'pid'>): void {
  signal(pid, 'SIGQUIT');
}

/** Stops it and removes its data. */
export async function removePostgres(server: Pick<PostgresServer, 'pid' | 'folder'>): Promise<void> {
  await stopPostgres(server);
  rmSync(server.folder, { recursive: true, force: true });
}

function isMade(data: string): boolean {
  return read(path.join(data, 'PG_VERSION')) !== undefined;
}

function make({ initdb }: PostgresPrograms, data: string, spawning: object): Promise<void> {
  const args = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'];
  return new Promise((resolve, reject) => {
    const child = spawn(initdb, args, { ...spawning, cwd: path.dirname(data), stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.on('error', (error) => reject(failed(error.message)));
    child.on('close', (code) => (code === 0 ? resolve() : reject(failed(said.trim()))));
  });
}

/** It writes into its own file when it is ready. */
async function waitUntilReady(
  data: string,
  pid: number | undefined,
  hasEnded: () => boolean,
  folder: string,
): Promise<void> {
  for (;;) {
    const lines = read(path.join(data, 'postmaster.pid'))?.split('\n') ?? [];
    if (lines[0] === String(pid) && lines[7]?.trim() === 'ready') return;
    if (hasEnded() || pid === undefined)
      throw failed(read(path.join(folder, 'log'))?.trim().slice(-1000) ?? 'it ended');
    await pause();
  }
}

function failed(why: string): GlassboxError {
  return new GlassboxError('spawn-failed', `Postgres did not start: ${why}`);
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

/** One that ended stays in the process table when the thread that started it did not live to ask how it ended. */
function isThere(pid: number): boolean {
  return signal(pid, 0) && !/^\d+ \(.*\) Z /s.test(read(`/proc/${pid}/stat`) ?? '');
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 30));
