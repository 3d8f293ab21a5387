/** What a person types is on its way to the agent for a moment, and then nowhere: neither in the file nor in its write-ahead log. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Answer, Instruction } from '../../src/event/index.js';
import { stamp } from '../../src/store/conformance/events.js';
import { openStore } from '../../src/store/index.js';
import type { Post } from '../../src/store/shell/engine.js';
import { type Connection, connect } from '../../src/store/sqlite/connection.js';
import { loadDriver } from '../../src/store/sqlite/driver.js';
import { createEngine, type FileEngine } from '../../src/store/sqlite/engine.js';

const open = { tools: [], tasks: [], approvals: [], processes: [] };
const NEEDLE = 'correct horse battery staple';
/** Some stand in a page of their own, most do not. */
const answers: Answer[] = [
  { type: 'answer', answers: { password: NEEDLE } },
  { type: 'answer', answers: { password: NEEDLE, filler: NEEDLE.repeat(2000) } },
  { type: 'approve', changes: { set: { '/command': `login ${NEEDLE}` } } },
  { type: 'deny', message: NEEDLE },
];

let folder: string;
let file: string;
let alive: boolean;
let connections: Connection[];
let owner: FileEngine;
let other: FileEngine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glassbox-said-'));
  file = join(folder, 'store.db');
  alive = true;
  connections = [];
  owner = await connectAs(1);
  other = await connectAs(2);
  owner.startRun({ runId: 'r', agent: 'claude', startedAt: 1 });
  owner.append([{ runId: 'r', epoch: 1, bodies: requests.map((event) => JSON.stringify(event)) }]);
});

afterEach(() => {
  for (const connection of connections) connection.close();
  rmSync(folder, { recursive: true });
});

async function connectAs(pid: number): Promise<FileEngine> {
  const connection = await connect(file);
  connections.push(connection);
  return createEngine(connection, { pid, host: 'here', isAlive: () => alive });
}

const requests = stamp(
  { runId: 'r' },
  answers.map((_, n) => ({ type: 'approval-request', id: `q${n}`, kind: 'tool' })),
);
/** The answers, and what else people type. */
const posts: Post[] = [
  ...answers.map((answer, n): Instruction => ({ type: 'answer', approval: `q${n}`, answer })),
  { type: 'say' as const, text: `Log in with ${NEEDLE}.` },
  { type: 'stop' as const, why: NEEDLE },
].map((instruction, n) => ({ runId: 'r', id: `i${n}`, instruction, from: { by: 'person' } }));

function postAll(): void {
  for (const post of posts) expect(other.post(post)).toBeUndefined();
  expect(isOnDisk()).toBe(true);
}

function isOnDisk(of = file): boolean {
  return [of, `${of}-wal`].filter((path) => existsSync(path)).some((path) => readFileSync(path).includes(NEEDLE));
}

test('the owner takes them', () => {
  postAll();
  expect(owner.take('r', 1)).toEqual(posts.map(({ runId: _, ...told }) => told));
  expect(isOnDisk()).toBe(false);
});

test('they are taken back', () => {
  postAll();
  for (const { id } of posts) expect(other.withdraw(id)).toBe(true);
  expect(isOnDisk()).toBe(false);
  expect(owner.take('r', 1)).toEqual([]);
});

test('the questions are settled otherwise', () => {
  postAll();
  for (const { id } of posts.slice(answers.length)) other.withdraw(id);
  expect(isOnDisk()).toBe(true);
  const settle = stamp(
    { runId: 'r', firstSeq: requests.length + 1 },
    answers.map((_, n) => ({ type: 'approval-withdraw', id: `q${n}`, why: 'agent' })),
  );
  owner.append([{ runId: 'r', epoch: 1, bodies: settle.map((event) => JSON.stringify(event)) }]);
  expect(isOnDisk()).toBe(false);
});

test('the run ends', () => {
  postAll();
  const end = stamp({ runId: 'r', firstSeq: requests.length + 1 }, [
    { type: 'run-end', reason: 'finished', durationMs: 1, turns: 1, open },
  ]);
  owner.append([{ runId: 'r', epoch: 1, bodies: end.map((event) => JSON.stringify(event)) }]);
  expect(isOnDisk()).toBe(false);
});

test('the owner dies', () => {
  postAll();
  alive = false;
  other.reap();
  expect(isOnDisk()).toBe(false);
});

test('somebody reads meanwhile: it is done as soon as possible', () => {
  postAll();
  const [, reader] = connections;
  reader?.exec('begin');
  reader?.get('select count(*) from event');
  expect(owner.take('r', 1)).toHaveLength(posts.length);
  reader?.exec('commit');
  owner.beat();
  expect(isOnDisk()).toBe(false);
});

test('an earlier version left some', async () => {
  const old = join(folder, 'old.db');
  copyFileSync(new URL('recordings/store-v1.db', import.meta.url), old);
  const { DatabaseSync } = await loadDriver();
  const db = new DatabaseSync(old);
  db.exec(`update approval set answer = '${NEEDLE}'`);
  db.close();
  expect(isOnDisk(old)).toBe(true);
  const store = await openStore(old);
  expect(await store.approvals()).toHaveLength(1);
  await store.close();
  expect(isOnDisk(old)).toBe(false);
});
