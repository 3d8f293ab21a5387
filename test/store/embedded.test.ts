/** The embedded store against the cases that strangers get too. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { openStore, testStore } from '../../src/store.js';

const cases = testStore(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'glassbox-store-'));
  return { open: () => openStore(join(folder, 'store.db')), remove: () => rm(folder, { recursive: true }) };
});

for (const { name, run } of cases) test(name, run);
