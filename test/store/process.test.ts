/** More than one process, and processes that die. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore, type Store } from '../../src/store/index.js';

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

test('two processes that write the same run write it once', async () => {
  const children = [write('r1', 100), write('r1', 100)];
  await Promise.all(children.map((child) => once(child, 'exit')));
  store = await openStore(file);
  expect((await all(store.read('r1'))).map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
});

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
