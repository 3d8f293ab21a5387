/** The store at a hub, over HTTP, against the cases that every store passes: over a store in memory, so that nothing of a database helps it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { openHub, openStore, testStore } from '../../src/store.js';

const cases = testStore(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'glassbox-hub-'));
  const store = await openStore(':memory:');
  const token = { name: 'ada', token: 'not a secret' };
  const hub = await startServer({ store, port: 0, tokens: [token], projects: [folder] });
  return {
    open: async () => openHub({ url: hub.url, token: token.token }),
    async remove() {
      await hub.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
});

for (const { name, run } of cases) test(name, run);
