/** The store on Postgres where the database itself is the point: its death, its versions, its months, and what nobody may see of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { stopPostgres } from '../../src/cli/postgres/server.js';
import { START, stamp, wholeRun } from '../../src/store/conformance/events.js';
import { openStore, type Store } from '../../src/store.js';
import { PATIENCE_MS } from '../support/patience.js';
import { freshLocation, startOwnPostgres } from '../support/postgres.js';

interface Client {
  connect(): Promise<void>;
  query(sql: string): Promise<{ rows: Record<string, unknown>[] }>;
  end(): Promise<void>;
}

const { Client: PgClient } = createRequire(import.meta.url)('pg') as {
  Client: new (options: { connectionString: string; options: string }) => Client;
};

/** Asks the database itself, in the schema of a location. */
async function sqlAt(location: string): Promise<(sql: string) => Promise<Record<string, unknown>[]>> {
  const url = new URL(location);
  const options = `-c search_path=${url.searchParams.get('schema')}`;
  url.search = '';
  const client = new PgClient({ connectionString: url.href, options });
  await client.connect();
  onTestFinished(() => client.end());
  return async (sql) => (await client.query(sql)).rows;
}

async function opened(location: string): Promise<Store> {
  const store = await openStore(location);
  onTestFinished(() => store.close());
  return store;
}

async function seqsOf(store: Store, runId: string): Promise<number[]> {
  const seqs: number[] = [];
  for await (const { seq } of store.read(runId)) seqs.push(seq);
  return seqs;
}

test('a server that is killed while many write loses nothing that was acknowledged, and is used again when it is back', async () => {
  // Not below the folder of the tests, which only we may enter.
  const folder = mkdtempSync(path.join(path.dirname(tmpdir()), 'glassbox-killed-'));
  const env = { TMPDIR: tmpdir() };
  let server = await startOwnPostgres({ folder, env });
  onTestFinished(async () => {
    await stopPostgres(server);
    rmSync(folder, { recursive: true, force: true });
  });
  const store = await opened(server.location);
  const runs = ['a', 'b', 'c', 'd'];
  for (const runId of runs) await store.startRun({ runId, agent: 'fake', startedAt: START });
  const acknowledged = new Map<string, number>();
  let isOver = false;
  // Also when something failed: a store that is closed refuses at once, and who asks it again and again lets nobody else do anything.
  onTestFinished(() => {
    isOver = true;
  });
  const write = async (runId: string) => {
    for (let from = 1; !isOver; ) {
      const statuses = Array.from({ length: 20 }, (_, n) => ({ type: 'status', code: `${from + n}` }) as const);
      // Whatever was not acknowledged is sent again.
      const last = await store.append(stamp({ runId, firstSeq: from }, statuses)).catch(() => undefined);
      if (last === undefined) {
        await setImmediate();
        continue;
      }
      acknowledged.set(runId, last);
      from = last + 1;
    }
  };
  const writing = runs.map(write);
  const lookOften = () => Promise.all(Array.from({ length: 8 }, () => store.list()));
  for (let round = 0; round < 2; round += 1) {
    const before = acknowledged.get('a') ?? 0;
    await expect.poll(() => acknowledged.get('a') ?? 0).toBeGreaterThan(before + 100);
    // As many as there are connections for those who read, which are all idle when the server dies.
    await lookOften();
    process.kill(server.pid, 'SIGKILL');
    await stopPostgres(server);
    // None begins while a child of the one before has not yet seen that it is gone.
    server = await vi.waitFor(() => startOwnPostgres({ folder, env, port: server.port }), { timeout: PATIENCE_MS });
    await lookOften();
  }
  const after = acknowledged.get('a') ?? 0;
  await expect.poll(() => acknowledged.get('a') ?? 0).toBeGreaterThan(after + 100);
  isOver = true;
  await Promise.all(writing);
  for (const runId of runs) {
    const last = acknowledged.get(runId) ?? 0;
    expect(await seqsOf(store, runId)).toEqual(Array.from({ length: last }, (_, n) => n + 1));
  }
});

test('a database of a newer glassbox is refused, also when it became so meanwhile, and nothing is changed', async () => {
  const location = await freshLocation();
  const sql = await sqlAt(location);
  const store = await opened(location);
  await store.append(wholeRun({ runId: 'r1' }));
  await sql('update format set version = version + 1');
  await expect(store.append(wholeRun({ runId: 'r2' }))).rejects.toThrow(/newer glassbox/);
  await expect(openStore(location)).rejects.toThrow(/newer glassbox/);
  expect(await sql('select id from run')).toEqual([{ id: 'r1' }]);
});

test('many that open a new database at the same moment make it once', async () => {
  const location = await freshLocation();
  const stores = await Promise.all(Array.from({ length: 5 }, () => opened(location)));
  await Promise.all(stores.map((store, n) => store.append(wholeRun({ runId: `r${n}` }))));
  expect((await stores[0]?.list())?.items).toHaveLength(5);
});

test('events of a month are one partition, which goes when nothing of it is kept', async () => {
  const location = await freshLocation();
  const sql = await sqlAt(location);
  const store = await opened(location);
  for (const month of [0, 1, 2]) await store.append(wholeRun({ runId: `r${month}`, at: Date.UTC(2026, month, 15) }));
  const months = async () =>
    (
      await sql(
        "select relname from pg_class where relname ~ '^event_[0-9]+$' and relnamespace = current_schema::regnamespace",
      )
    ).length;
  expect(await months()).toBe(3);
  await store.prune({ maxAgeMs: Date.now() - Date.UTC(2026, 1, 20) });
  expect(await months()).toBe(1);
  expect(await seqsOf(store, 'r2')).toHaveLength(13);
  // The month comes back when something of it does.
  await store.append(wholeRun({ runId: 'r0', at: Date.UTC(2026, 0, 15) }));
  expect(await months()).toBe(2);
});

test('what a transaction that took long did is heard of when it is done, though later ones were done before', async () => {
  const location = await freshLocation();
  const sql = await sqlAt(location);
  const store = await opened(location);
  for (const runId of ['slow', 'fast']) await store.startRun({ runId, agent: 'fake', startedAt: START });
  const heard: string[] = [];
  const watching = (async () => {
    for await (const sessions of store.watch())
      heard.push(...sessions.flatMap(({ runs }) => runs.map(({ runId }) => runId)));
  })();
  // Without a notification, so that only the look brings it.
  await sql("begin; insert into change (run) select no from run where id = 'slow'");
  await expect
    .poll(async () => {
      await store.append(stamp({ runId: 'fast', firstSeq: 1 + heard.length }, [{ type: 'turn-start' }]));
      return heard;
    })
    .toContain('fast');
  expect(heard).not.toContain('slow');
  await sql('commit');
  await expect.poll(() => heard).toContain('slow');
  await store.close();
  await watching;
});

test('who only asks what is to be decided, or answers it, sees that the process that asked is dead', async () => {
  const location = await freshLocation();
  const owner = await opened(location);
  for (const runId of ['r1', 'r2']) {
    await owner.startRun({ runId, agent: 'fake', startedAt: START });
    await owner.append(
      stamp({ runId }, [{ type: 'turn-start' }, { type: 'approval-request', id: 'q1', kind: 'tool' }]),
    );
  }
  const sql = await sqlAt(location);
  const bury = (runId: string) => sql(`update run set heartbeat_at = 0 where id = '${runId}'`);
  await bury('r1');
  expect((await (await opened(location)).approvals()).map(({ runId }) => runId)).toEqual(['r2']);
  await bury('r2');
  const answer = { type: 'answer', approval: 'q1', answer: { type: 'approve' } } as const;
  expect(await (await opened(location)).tell('r2', answer, { by: 'person' })).toMatchObject({ outcome: 'gone' });
});

test('the password of an address is nowhere to be seen', async () => {
  const location = new URL(await freshLocation());
  location.password = 'hunter2-secret';
  const store = await opened(location.href);
  expect(store.location).not.toContain('hunter2');
  location.port = '1';
  const failure = await openStore(location.href).catch((error: unknown) => error);
  expect(String(failure)).toMatch(/cannot be reached/);
  expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('hunter2');
});

test('letters that Postgres cannot keep are replaced, and nothing fails', async () => {
  const store = await opened(await freshLocation());
  await store.append(wholeRun({ runId: 'r1', sessionId: 'a\0b' }, { prompt: 'a\0b zebra', output: 'x\0\uD800y' }));
  expect((await store.session('r1'))?.title).toBe('a\uFFFDb zebra');
  expect((await store.search({ text: 'zebra' })).events).toBe(1);
});
