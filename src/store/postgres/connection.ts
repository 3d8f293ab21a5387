/**
 * Connections to the database: some that read, one that writes. A server that restarts is waited for, and whatever is asked may be asked
 * again: transactions here are written so that a second time changes nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { GlassboxError } from '../../event/index.js';
import type { Row } from '../table/row.js';
import type { Address } from './address.js';
import { type Client, loadDriver, type Parameter, type Result, TYPES } from './driver.js';
import { explain, isCollision, isCutOff } from './failure.js';

/** What can be asked within a transaction, or without one. */
export interface Asker {
  all(sql: string, ...values: Parameter[]): Promise<Row[]>;
  get(sql: string, ...values: Parameter[]): Promise<Row | undefined>;
  /** Gives how many rows it changed. */
  run(sql: string, ...values: Parameter[]): Promise<number>;
}

export interface Database extends Asker {
  readonly address: Address;
  /** All or nothing, one after the other in this process. `begin` is sent with the beginning of the transaction and may refuse it. */
  transaction<Done>(work: (tx: Asker) => Promise<Done>): Promise<Done>;
  /** A connection of its own, for whoever listens. */
  connect(): Promise<Client>;
  /** From now on nobody waits for a server that is away. */
  hurry(): void;
  close(): Promise<void>;
}

const READERS = 4;
/** A server that restarts is back within a few seconds. */
const PATIENCE_MS = 10_000;
const COLLISIONS = 8;

export function openDatabase(address: Address, begin: { sql: string; check(rows: readonly Row[]): void }): Database {
  const driver = loadDriver();
  const names = new Map<string, string>();
  const idle: Client[] = [];
  const broken = new WeakSet<Client>();
  const waiting: (() => void)[] = [];
  const open = new Set<Client>();
  const connecting = new Set<Promise<void>>();
  const leaving = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;
  let readers = 0;
  let writer: Client | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  const read = async (sql: string, values: readonly Parameter[]): Promise<Result> =>
    persist(async () => {
      const client = await take();
      try {
        return await ask(client, sql, values);
      } catch (error) {
        if (isCutOff(error)) broken.add(client);
        throw error;
      } finally {
        give(client);
      }
    });

  return {
    address,
    ...askerOf(read),
    transaction(work) {
      const done = writing.then(() => persist(() => attempt(work)));
      writing = done.catch(() => {});
      return done;
    },
    connect,
    hurry: () => leaving.abort(),
    async close() {
      leaving.abort();
      isClosed = true;
      await Promise.allSettled(underWay);
      // One that is ended while it connects never says so.
      await Promise.allSettled(connecting);
      // Whoever waits for the end is not to be gone before it.
      for (const client of open) client.ref?.();
      await Promise.all([...open].map((client) => client.end().catch(() => {})));
    },
  };

  async function attempt<Done>(work: (tx: Asker) => Promise<Done>): Promise<Done> {
    writer = writer && !broken.has(writer) ? writer : await connect();
    const client = writer;
    client.ref?.();
    try {
      const [, ...said] = (await client.query(`begin; ${begin.sql}`)) as unknown as Result[];
      begin.check(said.flatMap(({ rows }) => rows));
      const done = await work(askerOf((sql, values) => ask(client, sql, values)));
      await client.query('commit');
      return done;
    } catch (error) {
      await client.query('rollback').catch(() => broken.add(client));
      if (isCutOff(error)) broken.add(client);
      if (broken.has(client)) await client.end().catch(() => {});
      throw error;
    } finally {
      client.unref?.();
    }
  }

  /** Again after a collision, and while the server is away, but not for ever. */
  async function persist<Done>(work: () => Promise<Done>): Promise<Done> {
    if (isClosed) throw closed();
    const done = insist(work);
    underWay.add(done);
    try {
      return await done;
    } finally {
      underWay.delete(done);
    }
  }

  async function insist<Done>(work: () => Promise<Done>): Promise<Done> {
    let until: number | undefined;
    for (let collisions = 0, pauseMs = 50; ; ) {
      try {
        return await work();
      } catch (error) {
        if (isCollision(error) && collisions < COLLISIONS) {
          collisions += 1;
          continue;
        }
        until ??= Date.now() + PATIENCE_MS;
        if (!isCutOff(error) || leaving.signal.aborted || Date.now() > until) throw explain(error, address.shown);
      }
      await sleep(pauseMs, undefined, { signal: leaving.signal }).catch(() => {});
      pauseMs = Math.min(2 * pauseMs, 1000);
    }
  }

  function ask(client: Client, text: string, values: readonly Parameter[]): Promise<Result> {
    const name = names.get(text) ?? `g${names.size}`;
    names.set(text, name);
    return client.query({ name, text, values: values.map(clean) });
  }

  async function take(): Promise<Client> {
    for (;;) {
      const client = idle.pop();
      if (client && !broken.has(client)) {
        client.ref?.();
        return client;
      }
      if (client) {
        // It broke while nobody had it: there is room for another one.
        readers -= 1;
        continue;
      }
      if (readers < READERS) break;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    readers += 1;
    try {
      return await connect();
    } catch (error) {
      readers -= 1;
      waiting.shift()?.();
      throw error;
    }
  }

  function give(client: Client): void {
    if (broken.has(client)) {
      readers -= 1;
      void client.end().catch(() => {});
    } else {
      client.unref?.();
      idle.push(client);
    }
    waiting.shift()?.();
  }

  async function connect(): Promise<Client> {
    const client = new driver.Client({
      connectionString: address.connectionString,
      application_name: 'glassbox',
      options: `-c search_path=${address.schema} -c lock_timeout=10s -c idle_in_transaction_session_timeout=20s`,
      connectionTimeoutMillis: 10_000,
      query_timeout: 120_000,
      keepAlive: true,
      types: TYPES,
    });
    client.on('error', () => broken.add(client));
    client.on('end', () => {
      broken.add(client);
      open.delete(client);
    });
    const connected = client.connect();
    connecting.add(connected);
    try {
      await connected;
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    } finally {
      connecting.delete(connected);
    }
    open.add(client);
    return client;
  }

  function closed(): GlassboxError {
    return new GlassboxError('store', `The store ${address.shown} is closed.`);
  }
}

function askerOf(query: (sql: string, values: readonly Parameter[]) => Promise<Result>): Asker {
  return {
    all: async (sql, ...values) => (await query(sql, values)).rows,
    get: async (sql, ...values) => (await query(sql, values)).rows[0],
    run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
  };
}

/** No text of Postgres can hold U+0000. The guard replaced it in events; this is for whatever did not pass it. */
function clean(value: Parameter): Parameter {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
  return Array.isArray(value) && value.some((one) => typeof one === 'string' && one.includes('\0'))
    ? (value as Parameter[]).map((one) => clean(one) as never)
    : value;
}
