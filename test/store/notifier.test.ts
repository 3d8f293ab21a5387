/** The store hears of others by the system, and by looking now and then where that is silent. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Notifier } from '../../src/store/notifier.js';
import { createFileNotifier } from '../../src/store/sqlite/file-notifier.js';

let folder: string;
let notifier: Notifier;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glassbox-store-'));
});
afterEach(() => {
  notifier.stop();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

test.runIf(process.platform === 'linux')('a write beside the file is heard without a look', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  notifier = createFileNotifier(join(folder, 'store.db'));
  const heard = new Promise<void>((resolve) => notifier.start(resolve));
  appendFileSync(join(folder, 'store.db-wal'), 'x');
  await heard;
});

test('where the system says nothing it is looked ten times a second', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  notifier = createFileNotifier(join(folder, 'nowhere', 'store.db'));
  const heard = vi.fn();
  notifier.start(heard);
  vi.advanceTimersByTime(1000);
  expect(heard).toHaveBeenCalledTimes(10);
});

test('after the end, and of what is only in memory, nothing is heard', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const heard = vi.fn();
  for (const place of [join(folder, 'store.db'), ':memory:']) {
    notifier = createFileNotifier(place);
    notifier.start(heard);
    if (place !== ':memory:') notifier.stop();
  }
  writeFileSync(join(folder, 'store.db'), 'x');
  vi.advanceTimersByTime(10_000);
  expect(heard).not.toHaveBeenCalled();
});
