/**
 * One Postgres server for all tests of a run, started by the first that wants it, and a schema of its own for each that asks. Runs around
 * all tests too: at the end nothing of the server is left.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type PostgresOptions,
  type PostgresServer,
  removePostgres,
  startPostgres,
} from '../../src/cli/postgres/server.js';
import { withCertificates } from './certificates.js';

/** Everybody sees the same folder: the one that `temporary.ts` made. */
const file = () => path.join(tmpdir(), 'postgres.json');

let asked = 0;

export default function setup(): () => Promise<void> {
  return async () => {
    const server = told();
    if (server && 'pid' in server) await removePostgres(server);
  };
}

/** A server of its own, which npm brings if nobody had one yet. */
export const startOwnPostgres = (options: PostgresOptions): Promise<PostgresServer> =>
  withCertificates(() => startPostgres(options));

/** A location with fresh data. */
export async function freshLocation(): Promise<string> {
  const { location } = await sharedPostgres();
  asked += 1;
  return `${location}?schema=t${process.pid}_${asked}_${Math.random().toString(36).slice(2, 10)}`;
}

async function sharedPostgres(): Promise<PostgresServer> {
  if (isFirst()) {
    try {
      // Nothing that is kept here has to survive a power cut. The word by which programs are found that outlive the tests is in its environment.
      const server = await startOwnPostgres({
        env: { TMPDIR: tmpdir() },
        folder: path.join(path.dirname(tmpdir()), `${path.basename(tmpdir())}-postgres`),
        settings: { fsync: 'off', max_connections: '300' },
        say: console.log,
      });
      tell(server);
    } catch (error) {
      tell({ problem: String(error) });
    }
  }
  for (;;) {
    const server = told();
    if (server && 'problem' in server) throw new Error(server.problem);
    if (server) return server;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A folder is made by one alone. */
function isFirst(): boolean {
  try {
    mkdirSync(`${file()}.lock`);
    return true;
  } catch {
    return false;
  }
}

function tell(server: PostgresServer | { problem: string }): void {
  writeFileSync(`${file()}.new`, JSON.stringify(server));
  renameSync(`${file()}.new`, file());
}

function told(): PostgresServer | { problem: string } | undefined {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as PostgresServer;
  } catch {
    return undefined;
  }
}
