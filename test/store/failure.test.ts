/** What can go wrong with the file, the disk and the thread: each has a clear message and loses nothing that was acknowledged. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stamp, wholeRun } from '../../src/store/conformance/events.js';
import { openStore, type Store } from '../../src/store/index.js';
import { type Database, loadDriver } from '../../src/store/sqlite/driver.js';
import { SCHEMA_VERSION } from '../../src/store/sqlite/schema.js';

let folder: string;
let file: string;
const opened: Store[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glassbox-store-'));
  file = join(folder, 'deep', 'store.db');
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const store of opened.splice(0)) await store.close();
  rmSync(folder, { recursive: true });
});

/** As before version 14. */
const BEFORE_FLEETS = `alter table run drop column project; alter table run drop column principal;
  drop table token; drop table audit; drop table worker; drop table job; drop table job_label; drop table job_run; drop table budget;
  drop index approval_settled; alter table approval drop column settled; alter table approval drop column settled_at;
  alter table run drop column stuck; alter table run drop column refused; alter table session drop column archived_at`;

describe('the file', () => {
  test.skipIf(process.platform === 'win32')('is private, with its folder and what lies beside it', async () => {
    await (await open()).append(wholeRun({ runId: 'r1' }));
    const modes = [join(folder, 'deep'), file, `${file}-wal`, `${file}-shm`].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
  });

  test('a folder that cannot be made', async () => {
    writeFileSync(join(folder, 'deep'), 'a file');
    await expect(open()).rejects.toMatchObject({
      code: 'store',
      message: expect.stringMatching(/cannot be opened.*--store/),
    });
  });

  test('something else than a store is refused and not touched', async () => {
    file = join(folder, 'notes.txt');
    const text = 'These are my notes.\n'.repeat(1000);
    writeFileSync(file, text);
    await expect(open()).rejects.toThrow(/damaged or is no store. Nothing was deleted. Move it away/);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('a damaged store is refused and not touched', async () => {
    const store = await open();
    for (let n = 0; n < 20; n += 1) await store.append(wholeRun({ runId: `r${n}` }, { text: 'x'.repeat(10_000) }));
    await store.close();
    const { size } = statSync(file);
    truncateSync(file, size / 2);
    const read = async () => {
      const broken = await open();
      for (let n = 0; n < 20; n += 1) for await (const _ of broken.read(`r${n}`));
    };
    await expect(read()).rejects.toMatchObject({
      code: 'store',
      message: expect.stringMatching(/Nothing was deleted/),
    });
    expect(statSync(file).size).toBe(size / 2);
  });

  test('a store of an older glassbox is brought up to date, and nothing of it is lost', async () => {
    mkdirSync(join(folder, 'deep'));
    copyFileSync(new URL('recordings/store-v1.db', import.meta.url), file);
    await withDatabase((db) => expect(db.prepare('pragma user_version').get()).toEqual({ user_version: 1 }));
    const stores = await Promise.all([open(), open()]);
    await withDatabase((db) =>
      expect(db.prepare('pragma user_version').get()).toEqual({ user_version: SCHEMA_VERSION }),
    );
    for (const store of stores) {
      expect(await store.session('agent-1')).toMatchObject({
        title: 'Why is the login test flaky?',
        spent: { usd: 3, origin: 'reported' },
        runs: [{ runId: 'r1' }, { runId: 'r2', resumedFrom: 'r1' }],
      });
      expect(await seqs(store, 'r2')).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
      expect((await store.search({ text: 'EACCES' })).items[0]?.hits).toMatchObject([{ runId: 'r2', tool: 'Bash' }]);
      expect(await store.totals({ by: 'agent' })).toMatchObject([{ key: 'fake', spent: { usd: 3 } }]);
      expect(await store.approvals()).toMatchObject([{ request: { id: 'q1' } }]);
    }
    await stores[0]?.append(wholeRun({ runId: 'r4' }, { text: 'new words' }));
    expect(await stores[1]?.search({ text: 'new' })).toMatchObject({ events: 1 });
  });

  test('a store of glassbox 0.1.0 is brought up to date: sessions stay, its owners are gone, and answers on their way too', async () => {
    mkdirSync(join(folder, 'deep'));
    copyFileSync(new URL('recordings/store-v8.db', import.meta.url), file);
    await withDatabase((db) => expect(db.prepare('pragma user_version').get()).toEqual({ user_version: 8 }));
    const store = await open();
    expect(await store.session('agent-1')).toMatchObject({
      title: 'Why is the login test flaky?',
      spent: { usd: 3, origin: 'reported' },
      runs: [
        { runId: 'r1', outcome: 'finished' },
        { runId: 'r2', terms: { permission: 'ask' } },
      ],
    });
    expect(await store.session('agent-3')).toMatchObject({ runs: [{ runId: 'imported', sourceState: 'state 1' }] });
    expect(await store.session('live')).toMatchObject({ state: 'ended', outcome: 'interrupted', waiting: 0 });
    expect(await seqs(store, 'r2')).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
    expect((await store.search({ text: 'EACCES' })).items[0]?.hits).toMatchObject([{ runId: 'r2', tool: 'Bash' }]);
    expect(await store.startRun({ runId: 'live', agent: 'fake', startedAt: 1 })).toMatchObject({ owner: { epoch: 2 } });
    expect(await store.append(stamp({ runId: 'live', firstSeq: 5 }, [{ type: 'turn-start' }]))).toBe(5);
    await store.close();
    for (const path of [file, `${file}-wal`].filter((path) => existsSync(path)))
      expect(readFileSync(path).includes('on its way')).toBe(false);
  });

  test('what an older glassbox kept without a prompt is called by its first words', async () => {
    const first = await open();
    await first.append(wholeRun({ runId: 'r1' }).filter(({ type }) => type !== 'user-message'));
    await first.close();
    await withDatabase((db) =>
      db.exec(`alter table session drop column name; alter table session drop column pinned;
        alter table run drop column opening; drop table cause_use; alter table run drop column limits; ${BEFORE_FLEETS};
        pragma user_version = 11`),
    );
    expect(await (await open()).session('r1')).toMatchObject({ title: 'All done' });
  });

  test('what an older glassbox added up by other rules is counted again, from what it kept', async () => {
    mkdirSync(join(folder, 'deep'));
    copyFileSync(new URL('recordings/store-v1.db', import.meta.url), file);
    await withDatabase((db) =>
      db.exec(
        "update run set usd = 99, origin = 'computed', input = 7; update spend set usd = 99; delete from tool_use",
      ),
    );
    const store = await open();
    expect(await store.session('agent-1')).toMatchObject({
      spent: { usd: 3, scope: 'session', origin: 'reported' },
      usage: { inputTokens: 200, outputTokens: 40 },
      runs: [{ spent: { usd: 1 }, balance: { cost: { usd: 1, scope: 'session' } } }, { spent: { usd: 2 } }],
    });
    const totals = async (by: 'day' | 'tool' | 'cause') =>
      (await store.totals({ by })).map(({ key, spent, calls }) => [key, spent?.usd, calls]);
    expect(await totals('tool')).toEqual([
      ['Bash', expect.closeTo(1.65), 2],
      ['', expect.closeTo(1.35), 0],
    ]);
    expect((await totals('day')).reduce((sum, [, usd]) => sum + Number(usd), 0)).toBe(3);
    expect(await totals('cause')).toEqual([
      ['prompt', expect.closeTo(1.65), 2],
      ['tool', expect.closeTo(1.35), 2],
    ]);
  });

  test('what was counted without its words is kept as it is when a store is counted again', async () => {
    const first = await open();
    const start = { runId: 'read', agent: 'fake', startedAt: 1 };
    await first.keepRuns([
      { start, events: wholeRun({ runId: 'read' }, { usd: 2 }), sourceState: 's', onlyFigures: true },
    ]);
    await first.close();
    await withDatabase((db) =>
      db.exec(`drop table cause_use; alter table run drop column limits; ${BEFORE_FLEETS}; pragma user_version = 12`),
    );
    const store = await open();
    expect(await store.totals({ by: 'day' })).toMatchObject([{ spent: { usd: 2 } }]);
  });

  test('a migration that cannot finish leaves the store as it was', async () => {
    mkdirSync(join(folder, 'deep'));
    copyFileSync(new URL('recordings/store-v1.db', import.meta.url), file);
    await withDatabase((db) => db.exec('drop table search'));
    await expect(open()).rejects.toMatchObject({ code: 'store' });
    await withDatabase((db) => {
      expect(db.prepare('pragma user_version').get()).toEqual({ user_version: 1 });
      expect(db.prepare('select count(*) as count from event').get()).toEqual({ count: 28 });
    });
  });

  test('a store of a newer glassbox is refused, also when it became so meanwhile', async () => {
    const store = await open();
    await store.append(wholeRun({ runId: 'r1' }));
    await withDatabase((db) => db.exec(`pragma user_version = ${SCHEMA_VERSION + 1}`));
    await expect(store.append(wholeRun({ runId: 'r2' }))).rejects.toThrow(/newer glassbox.*Update glassbox/);
    await expect(open()).rejects.toThrow(/newer glassbox.*Update glassbox/);
  });
});

describe('the disk', () => {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  if (!isRoot) console.log('A full disk is not tested: only root can make a small one.');

  test.skipIf(!isRoot)('is full: what was acknowledged is safe, and it goes on when there is space again', async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder]);
    try {
      const store = await open();
      const ballast = join(folder, 'ballast');
      writeFileSync(ballast, Buffer.alloc(1024 * 1024));
      let kept = 0;
      const fill = async () => {
        for (; kept < 1000; kept += 1) {
          await store.append(
            stamp({ runId: 'r1', firstSeq: kept + 1 }, [{ type: 'status', code: 'x', text: 'y'.repeat(20_000) }]),
          );
        }
      };
      await expect(fill()).rejects.toMatchObject({ code: 'store', message: expect.stringMatching(/disk is full/) });
      expect(await seqs(store, 'r1')).toHaveLength(kept);
      rmSync(ballast);
      await store.append(stamp({ runId: 'r1', firstSeq: kept + 1 }, [{ type: 'turn-start' }]));
      expect(await seqs(store, 'r1')).toHaveLength(kept + 1);
      await store.close();
      expect(await seqs(await open(), 'r1')).toHaveLength(kept + 1);
    } finally {
      for (const store of opened.splice(0)) await store.close();
      // Lazy: whoever lists the files of all processes in this moment holds it for as long.
      execFileSync('umount', ['--lazy', folder]);
    }
  });
});

describe('the thread', () => {
  test('dies: what waits is rejected, the next call starts it again, readers go on', async () => {
    const post = vi.spyOn(Worker.prototype, 'postMessage');
    const store = await open();
    await store.startRun({ runId: 'r1', agent: 'fake', startedAt: 1 });
    await store.append(stamp({ runId: 'r1' }, [{ type: 'turn-start' }]));
    const tail = store.tail('r1')[Symbol.asyncIterator]();
    expect((await tail.next()).value).toMatchObject({ seq: 1 });

    const waiting = store.list();
    await (post.mock.contexts[0] as Worker).terminate();
    await expect(waiting).rejects.toThrow(/thread.*died.*next call starts it again/);
    await store.append(wholeRun({ runId: 'r1' }));
    expect((await tail.next()).value).toMatchObject({ seq: 2 });
    await tail.return?.();
  });
});

async function open(): Promise<Store> {
  const store = await openStore(file);
  opened.push(store);
  return store;
}

async function withDatabase(work: (db: Database) => void): Promise<void> {
  const { DatabaseSync } = await loadDriver();
  const db = new DatabaseSync(file);
  // The thread of a store that was refused may still be letting go.
  db.exec('pragma busy_timeout = 10000');
  work(db);
  db.close();
}

async function seqs(store: Store, runId: string): Promise<number[]> {
  const found: number[] = [];
  for await (const { seq } of store.read(runId)) found.push(seq);
  return found;
}
