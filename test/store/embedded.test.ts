import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/store/index.js';
import { testStore } from './suite.js';

testStore('embedded store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'glassbox-store-'));
  return { open: () => openStore(join(folder, 'store.db')), remove: () => rm(folder, { recursive: true }) };
});
