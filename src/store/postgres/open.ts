/** The store on Postgres: used by hubs and by hosts that may know the password of the database. */
import { randomUUID } from 'node:crypto';
import { createFleet } from '../fleet/fleet.js';
import { hostId } from '../host.js';
import { isAlive } from '../is-alive.js';
import { createAppendQueue } from '../shell/append-queue.js';
import type { Change, Door } from '../shell/engine.js';
import { oneAtATime } from '../shell/one-at-a-time.js';
import { storeOver } from '../shell/store-over.js';
import type { Store } from '../store.js';
import { HEARTBEAT_MS } from '../table/owner-row.js';
import { parseAddress } from './address.js';
import { askAll } from './ask-all.js';
import { createChangeFeed } from './change-feed.js';
import { openDatabase } from './connection.js';
import { createEngine, REAP_MS } from './engine.js';
import { explain } from './failure.js';
import { beginningOf, migrate } from './schema.js';

/** Rows that somebody else is taking are left to him. */
const DIALECT = { now: 'now_ms()', skipLocked: 'for update skip locked' } as const;

const SWEEP_MS = 60_000;

export async function openPostgres(location: string): Promise<Store> {
  const address = parseAddress(location);
  const db = openDatabase(address, beginningOf(address));
  try {
    await migrate(address, db.connect);
  } catch (error) {
    await db.close();
    throw explain(error, address.shown);
  }
  const host = hostId();
  const engine = createEngine(db, { host, pid: process.pid, isAlive }, { id: randomUUID(), host, pid: process.pid });
  const feed = createChangeFeed(db);
  const held = new Map<string, number>();
  const listeners = new Set<(changes: readonly Change[]) => void>();
  const underWay = new Set<Promise<unknown>>();
  const queue = createAppendQueue((batches) => engine.append(batches));
  const timers = [
    setInterval(oneAtATime(beat), HEARTBEAT_MS),
    setInterval(
      oneAtATime(async () => listeners.size > 0 && engine.reap().catch(() => {})),
      REAP_MS,
    ),
    setInterval(
      oneAtATime(async () => listeners.size > 0 && engine.sweep().catch(() => {})),
      SWEEP_MS,
    ),
  ];
  // Nobody stays alive to say that he lives.
  for (const timer of timers) timer.unref();

  const door: Door = {
    call: (method, ...args) =>
      following(feed.ready().then(() => (engine[method] as (...given: unknown[]) => Promise<never>)(...args))),
    append: (batch) => following(feed.ready().then(() => queue.append(batch))),
    listen(notice) {
      listeners.add(notice);
      if (listeners.size === 1) feed.start(tellAll);
      return () => {
        if (listeners.delete(notice) && listeners.size === 0) feed.stop();
      };
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      db.hurry();
      listeners.clear();
      feed.stop();
      await Promise.allSettled([queue.idle(), ...underWay]);
      await db.close();
    },
  };
  return storeOver(door, {
    location: address.shown,
    fleet: createFleet({ all: (statements) => askAll(db, statements), dialect: DIALECT }, { isShared: true }),
    onHeld: (runId, epoch) => (epoch === undefined ? held.delete(runId) : held.set(runId, epoch)),
  });

  function tellAll(changes: readonly Change[]): void {
    for (const told of [...listeners]) told(changes);
  }

  /** What was asked is answered before the store is closed. */
  async function following<Done>(asked: Promise<Done>): Promise<Done> {
    underWay.add(asked);
    try {
      return await asked;
    } finally {
      underWay.delete(asked);
    }
  }

  /** A beat that fails is repeated soon; the next real call reports the failure. */
  async function beat(): Promise<void> {
    if (held.size === 0) return;
    const lost = await engine.beatFor([...held].map(([runId, epoch]) => ({ runId, epoch }))).catch(() => []);
    for (const runId of lost) held.delete(runId);
  }
}
