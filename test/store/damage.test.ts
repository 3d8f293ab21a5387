/** A disk that forgets: what is damaged in a row is noticed and told, and everything else is still there. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { all, found } from '../../src/store/conformance/case.js';
import { START, stamp, wholeRun } from '../../src/store/conformance/events.js';
import { openStore, type Store } from '../../src/store/index.js';
import { loadDriver } from '../../src/store/sqlite/driver.js';
import { glassbox } from '../cli/glassbox.js';

let folder: string;
let file: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glassbox-store-'));
  file = join(folder, 'store.db');
  store = await openStore(file);
  await store.append(wholeRun({ runId: 'r1', sessionId: 'agent-1' }, { text: 'zebra crossing', usd: 1 }));
  await store.append(wholeRun({ runId: 'r2' }, { text: 'zebra crossing', usd: 1 }));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Writes past everything that would notice. */
async function damage(sql: string): Promise<void> {
  const { DatabaseSync } = await loadDriver();
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

const EVENT_7 = "id % (1 << 32) = 7 and id >> 32 = (select no from run where id = 'r1')";

test.each([
  ['half of it is gone', 'update event set body = substr(body, 1, 30)'],
  ['one letter is another, and it is still JSON', `update event set body = replace(body, '"m1"', '"m7"')`],
  ['half of it is gone, and an older glassbox wrote it', 'update event set sum = null, body = substr(body, 1, 30)'],
  ['it is no text any more', "update event set body = x'ff00fe'"],
])('an event whose row is damaged is a gap, and its neighbours are there: %s', async (_, sql) => {
  const before = await all(store.read('r1'));
  await damage(`${sql} where ${EVENT_7}`);
  const events = await all(store.read('r1'));
  expect(events.filter(({ seq }) => seq !== 7)).toEqual(before.filter(({ seq }) => seq !== 7));
  expect(events[6]).toMatchObject({
    type: 'gap',
    from: 7,
    to: 7,
    seq: 7,
    runId: 'r1',
    why: expect.stringMatching(/damaged/),
  });
  expect((await all(store.read('r1', 7))).map(({ type }) => type)).toEqual(events.slice(6).map(({ type }) => type));
  expect((await store.list()).items).toHaveLength(2);
  expect(await found(store, { text: 'zebra' })).toHaveLength(2);
});

test('a bit of the file itself', async () => {
  await store.close();
  const bytes = readFileSync(file);
  for (let at = bytes.indexOf('zebra crossing'); at >= 0; at = bytes.indexOf('zebra crossing', at)) bytes[at] = 0x5a;
  writeFileSync(file, bytes);
  store = await openStore(file);
  for (const runId of ['r1', 'r2']) {
    const events = await all(store.read(runId));
    expect(events).toHaveLength(13);
    expect(events.filter(({ type }) => type === 'gap').length).toBeGreaterThan(0);
    expect(JSON.stringify(events)).not.toContain('crossing');
  }
  const { stdout, stderr, status } = await glassbox(['show', 'agent-1'], '', { GLASSBOX_STORE: file });
  expect(stdout + stderr).toContain('damaged in the store');
  expect(status).toBe(0);
});

test('a match whose event is damaged hides no other', async () => {
  await damage(`update event set body = 'x' where body like '%zebra%' and ${EVENT_7.replace('= 7', '> 0')}`);
  const { items, sessions } = await store.search({ text: 'zebra' });
  expect(sessions).toBe(2);
  expect(items.map(({ session, hits }) => [session.runs[0]?.runId, hits.length > 0]).toSorted()).toEqual([
    ['r1', false],
    ['r2', true],
  ]);
});

test('a question whose row is damaged can be refused and not be allowed, and hides no other', async () => {
  const start = { agent: 'fake', startedAt: START };
  for (const runId of ['a', 'b']) {
    await store.startRun({ runId, ...start });
    await store.append(stamp({ runId }, [{ type: 'approval-request', id: 'q1', kind: 'tool', toolName: 'Bash' }]));
  }
  await damage("update event set body = 'x' where id >> 32 = (select no from run where id = 'a')");
  const approvals = await store.approvals();
  expect(approvals).toMatchObject([
    { runId: 'a', request: { id: 'q1', title: expect.stringMatching(/damaged/), cuts: [{ path: '/input' }] } },
    { runId: 'b', request: { toolName: 'Bash' } },
  ]);
});

test('a record whose terms are damaged says so, and the run is written on', async () => {
  const terms = { permission: 'ask', followUp: true } as const;
  await store.startRun({ runId: 'a', agent: 'fake', startedAt: START, terms });
  await store.append(stamp({ runId: 'a' }, [{ type: 'turn-start' }, { type: 'status', code: 'x' }]));
  await damage("update run set terms = '{' where id = 'a'; update event set body = 'x' where body like '%status%'");
  const run = (await store.session('a'))?.runs[0];
  expect(run).toMatchObject({ damaged: true, lastSeq: 2 });
  expect(run).not.toHaveProperty('terms');
  expect((await store.session('r1'))?.runs[0]).not.toHaveProperty('damaged');
  await store.close();
  // Whoever takes over reads all events again, and the damaged one is the last.
  store = await openStore(file);
  await damage('update run set heartbeat_at = 0');
  await store.startRun({ runId: 'a', agent: 'fake', startedAt: START });
  expect(await store.append(stamp({ runId: 'a', firstSeq: 2 }, [{ type: 'turn-start' }, { type: 'turn-start' }]))).toBe(
    3,
  );
  expect((await all(store.read('a'))).map(({ type }) => type)).toEqual(['turn-start', 'gap', 'turn-start']);
});
