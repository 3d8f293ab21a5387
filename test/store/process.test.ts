/** More than one process, and processes that die. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore, type Store } from '../../src/store/index.js';
import { connect } from '../../src/store/sqlite/connection.js';
import { createEngine, type FileEngine } from '../../src/store/sqlite/engine.js';
import { init, text } from '../fake-agent/lines.js';
import { startKeeper } from './keeper.js';

const writer = fileURLToPath(new URL('writer.mjs', import.meta.url));

let folder: string;
let file: string;
let store: Store | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glassbox-store-'));
  file = join(folder, 'store.db');
});
afterEach(async () => {
  await store?.close();
  rmSync(folder, { recursive: true });
});

test('killed in the middle of writing, a process loses nothing that was acknowledged', async () => {
  const child = write('r1', 1_000_000);
  let acknowledged = 0;
  for await (const line of linesOf(child)) {
    acknowledged = Number(line);
    if (acknowledged === 50) child.kill('SIGKILL');
  }
  store = await openStore(file);
  const kept = (await all(store.read('r1'))).map(({ seq }) => seq);
  expect(kept.length).toBeGreaterThanOrEqual(acknowledged);
  expect(kept).toEqual(Array.from(kept, (_, index) => index + 1));
  expect(await store.search({ text: `word${acknowledged}` })).toMatchObject({ events: 1 });
});

test('the run of a dead process is interrupted, and those who follow it hear the end', async () => {
  const child = write('r1', 1_000_000);
  for await (const line of linesOf(child)) if (line === '1') break;
  store = await openStore(file);
  expect(await store.session('r1')).toMatchObject({ state: 'running', runs: [{ owner: { pid: child.pid } }] });
  const tail = all(store.tail('r1'));
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await tail).length, 'tail ends').toBeGreaterThan(0);
  expect(await store.session('r1')).toMatchObject({ state: 'ended', outcome: 'interrupted' });
});

test('processes that begin at the same moment all get the new store, and write at once', async () => {
  const children = ['r1', 'r2', 'r3', 'r4'].map((runId) => write(runId, 100));
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
  expect(codes).toEqual([0, 0, 0, 0]);
  store = await openStore(file);
  expect((await store.list()).items.map((session) => session.runs[0]?.lastSeq)).toEqual([100, 100, 100, 100]);
  expect(await store.search({ text: 'word7' })).toMatchObject({ events: 4, sessions: 4 });
});

test('a run has one writer; when that died another takes over and goes on where it was', async () => {
  const first = write('r1', 1_000_000);
  for await (const line of linesOf(first)) if (line === '50') break;
  store = await openStore(file);
  await expect(store.startRun({ runId: 'r1', agent: 'fake', startedAt: 1 })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`(${first.pid})`),
  });
  first.kill('SIGKILL');
  await once(first, 'exit');
  const second = await store.startRun({ runId: 'r1', agent: 'fake', startedAt: 1 });
  expect(second).toMatchObject({ state: 'running', owner: { pid: process.pid, epoch: 2 } });
  expect(second.lastSeq).toBeGreaterThanOrEqual(50);
  const next = { seq: second.lastSeq + 1, at: 1, runId: 'r1', agent: 'fake', source: 'stream', turn: 1 } as const;
  await store.append([{ type: 'turn-start', ...next }]);
  const kept = (await all(store.read('r1'))).map(({ seq }) => seq);
  expect(kept).toEqual(Array.from(kept, (_, index) => index + 1));
});

test('an owner that slept while another took its run over writes nothing, and its run ends and says so', async () => {
  const go = join(folder, 'go');
  const keeper = startKeeper(file, 'r1', [init(), text('one'), { file: go }, text('two'), { hearEnd: true }]);
  await keeper.says({ type: 'text-end' });
  store = await openStore(file);
  for await (const event of store.tail('r1')) if (event.type === 'text-end') break;
  keeper.process.kill('SIGSTOP');
  const engine = await engineInFuture();
  const { epoch, record } = engine.startRun({ runId: 'r1', agent: 'fake', startedAt: 1 });
  expect(epoch).toBe(2);
  const before = await all(store.read('r1'));
  writeFileSync(go, '');
  keeper.process.kill('SIGCONT');
  const lost = `Another process (${process.pid}) keeps the run "r1" now`;
  expect(await keeper.says({ reason: 'cancelled' })).toMatchObject({ detail: expect.stringContaining(lost) });
  expect(await all(store.read('r1'))).toEqual(before);
  expect(record.lastSeq).toBe(before.at(-1)?.seq);
  engine.close();
});

/** To whom everybody has been silent for long. */
async function engineInFuture(): Promise<FileEngine> {
  const database = await connect(file);
  const now = () => database.now() + 60_000;
  return createEngine({ ...database, now }, { pid: process.pid, host: 'elsewhere', isAlive: () => true });
}

function write(runId: string, count: number): ChildProcess {
  return spawn(process.execPath, [writer, file, runId, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
}

function linesOf(child: ChildProcess): AsyncIterable<string> {
  if (!child.stdout) throw new Error('The writer has no output.');
  return createInterface({ input: child.stdout });
}

async function all<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of source) items.push(item);
  return items;
}
