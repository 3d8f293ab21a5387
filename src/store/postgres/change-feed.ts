/**
 * Hears which runs anybody changed: by notifications, and by a look now and then, because those are lost with a connection.
 *
 * A look goes by transactions that were not done at the last one: numbers are given when a transaction begins and seen when it ends, so
 * whoever asks only for higher ones loses what took longer.
 */
import type { Change } from '../shell/engine.js';
import type { Database } from './connection.js';
import type { Client } from './driver.js';
import { channelOf } from './transaction.js';

export interface ChangeFeed {
  /** Without changes when some may have been missed. */
  start(heard: (changes: readonly Change[]) => void): void;
  /** Resolves when it knows what was there before it began: whoever changes something afterwards is heard. */
  ready(): Promise<void>;
  stop(): void;
}

const LOOK_MS = 1000;
const RECONNECT_MS = 500;
/** How long changes stand in the table. Whoever was away for half as long looks at everything. */
export const KEPT_MS = 600_000;

const LOOK = `
  select pg_snapshot_xmin(pg_current_snapshot())::text as oldest, now_ms() as now, (
    select json_agg(json_build_array(change.xid::text, run.session, run.id)) from change join run on run.no = change.run
    where change.xid >= coalesce($1::xid8, pg_snapshot_xmin(pg_current_snapshot())))::text as changes`;

export function createChangeFeed(db: Database): ChangeFeed {
  let told: ((changes: readonly Change[]) => void) | undefined;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let again: NodeJS.Timeout | undefined;
  let looking = false;
  let listening: Promise<void> | undefined;
  let firstLook = Promise.resolve();
  /** Transactions that were heard of, so that a look does not tell them again. */
  let heard = new Set<string>();
  let since: { oldest: string; at: number } | undefined;

  return {
    start(listener) {
      told = listener;
      void listen();
      firstLook = look();
      timer = setInterval(() => void look(), LOOK_MS);
    },
    ready: () => firstLook,
    stop() {
      told = undefined;
      clearInterval(timer);
      clearTimeout(again);
      since = undefined;
      heard = new Set();
      void client?.end().catch(() => {});
      client = undefined;
    },
  };

  /** One at a time, also when it is stopped and started meanwhile. */
  function listen(): Promise<void> {
    listening ??= connect().finally(() => (listening = undefined));
    return listening;
  }

  async function connect(): Promise<void> {
    if (!told || client) return;
    try {
      const own = await db.connect();
      if (!told) return void own.end().catch(() => {});
      client = own;
      own.on('notification', ({ payload = '' }) => hear(payload));
      own.on('error', () => lose(own));
      own.on('end', () => lose(own));
      await own.query(`listen ${channelOf(db)}`);
      // What was told before it listened.
      await look();
    } catch {
      if (client) lose(client);
      else retry();
    }
  }

  function lose(own: Client): void {
    if (client !== own) return;
    client = undefined;
    void own.end().catch(() => {});
    retry();
  }

  function retry(): void {
    if (!told) return;
    clearTimeout(again);
    again = setTimeout(() => void listen(), RECONNECT_MS);
  }

  function hear(payload: string): void {
    const [xid = '', ...rest] = payload.split(' ');
    heard.add(xid);
    const changes = rest
      .join(' ')
      .split('\n')
      .map((line): Change => {
        const space = line.indexOf(' ');
        return { session: Number(line.slice(0, space)), runId: line.slice(space + 1) };
      });
    told?.(changes);
  }

  /** One that fails is repeated soon; what was missed is found then. */
  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      const row = await db.get(LOOK, since?.oldest ?? null);
      const [oldest, at] = [String(row?.oldest), Number(row?.now)];
      const isFirst = since === undefined;
      const isLate = since !== undefined && at - since.at > KEPT_MS / 2;
      const rows = JSON.parse(String(row?.changes ?? 'null')) as [xid: string, session: number, runId: string][] | null;
      const news = (rows ?? []).filter(([xid]) => !heard.has(xid));
      for (const [xid] of news) heard.add(xid);
      heard = new Set([...heard].filter((xid) => BigInt(xid) >= BigInt(oldest)));
      since = { oldest, at };
      // What was done before it began is nobody's news, though others keep it from being the past.
      if (isFirst) return;
      if (isLate) told?.([]);
      else if (news.length > 0) told?.(news.map(([, session, runId]) => ({ session, runId })));
    } catch {
    } finally {
      looking = false;
    }
  }
}
