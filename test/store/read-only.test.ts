/** A store that nobody may write to is read all the same, and nothing is made beside it. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { all } from '../../src/store/conformance/case.js';
import { wholeRun } from '../../src/store/conformance/events.js';
import { openStore, type Store } from '../../src/store/index.js';
import { type Ended, start } from '../cli/glassbox.js';

/** Permissions do not bind root, a medium that can only be read does. */
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

let folder: string;
let file: string;
const opened: Store[] = [];

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'glassbox-store-')), 'medium');
  mkdirSync(folder);
  if (isRoot) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]);
  file = join(folder, 'store.db');
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  if (isRoot) execFileSync('umount', ['--lazy', folder]);
  else chmodSync(folder, 0o700);
  rmSync(join(folder, '..'), { recursive: true });
});

describe.skipIf(process.platform === 'win32')('a store that can only be read', () => {
  test('is listed, shown, searched, summed up and exported; its folder stays as it is', async () => {
    await keep();
    protect();
    const before = readdirSync(folder);
    const store = await open();
    expect((await store.list()).items).toMatchObject([{ runs: [{ runId: 'r1' }] }]);
    expect(await store.session('latest')).toMatchObject({ runs: [{ runId: 'r1' }] });
    expect((await all(store.read('r1'))).length).toBeGreaterThan(1);
    expect(await store.search({ text: 'needle' })).toMatchObject({ sessions: 1 });
    expect(await store.totals({ by: 'agent' })).toHaveLength(1);
    for (const args of [
      ['sessions'],
      ['show', 'latest'],
      ['search', 'needle'],
      ['cost'],
      ['export', 'latest', '-o', '-'],
    ]) {
      const { stdout, stderr, status } = await glassbox(args, '', { GLASSBOX_STORE: file });
      expect({ args, stderr, status }).toEqual({ args, stderr: expect.not.stringContaining('store'), status: 0 });
      expect(stdout).not.toBe('');
    }
    expect(readdirSync(folder)).toEqual(before);
  });

  test('refuses in one line what would be written', async () => {
    await keep();
    protect();
    const store = await open();
    for (const refused of [store.append(wholeRun({ runId: 'r2' })), store.delete('r1')]) {
      await expect(refused).rejects.toMatchObject({
        code: 'store',
        message: expect.stringMatching(/cannot be written to/),
      });
    }
    const { stderr, status } = await glassbox(['prune', '--older-than', '1d', '--yes'], '', { GLASSBOX_STORE: file });
    expect(stderr).toMatch(/^glassbox: The store .* cannot be written to\. .*\n$/);
    expect(status).not.toBe(0);
  });

  test('shows also what a writer has not yet put into the main file', async () => {
    const writer = await open();
    await writer.append(wholeRun({ runId: 'r1' }, { text: 'needle' }));
    const copy = join(folder, 'copy.db');
    for (const end of ['', '-wal', '-shm']) copyFileSync(file + end, copy + end);
    await close();
    file = copy;
    protect();
    expect(await (await open()).search({ text: 'needle' })).toMatchObject({ sessions: 1 });
  });

  test('is refused when a part of it could not be seen', async () => {
    const writer = await open();
    await writer.append(wholeRun({ runId: 'r1' }));
    const copy = join(folder, 'copy.db');
    for (const end of ['', '-wal']) copyFileSync(file + end, copy + end);
    await close();
    file = copy;
    protect();
    await expect(open()).rejects.toThrow(/can only be read, and what was written last is still in .*-wal\. Copy both/);
  });

  test('says what to do with one of an older glassbox', async () => {
    copyFileSync(new URL('recordings/store-v1.db', import.meta.url), file);
    protect();
    await expect(open()).rejects.toThrow(/older glassbox \(format 1\).*can only be read\. Copy it to/);
  });

  test('that is not there cannot be opened', async () => {
    protect();
    await expect(open()).rejects.toThrow(/cannot be opened \(E(ROFS|ACCES)\)/);
  });
});

/** Nobody may write into the folder, nor to what is in it. */
function protect(): void {
  if (isRoot) return void execFileSync('mount', ['-o', 'remount,ro', folder]);
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o400);
  chmodSync(folder, 0o500);
}

async function keep(): Promise<void> {
  await (await open()).append(wholeRun({ runId: 'r1' }, { text: 'needle' }));
  await close();
}

async function open(): Promise<Store> {
  const store = await openStore(file);
  opened.push(store);
  return store;
}

async function close(): Promise<void> {
  for (const store of opened.splice(0)) await store.close();
}

/** A process that ends holds nothing of the medium any more. */
function glassbox(args: readonly string[], input: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const { child, ended } = start(args, env);
  child.stdin.end(input);
  return ended;
}
