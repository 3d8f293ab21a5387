/** The store on a real Postgres against the cases that every store passes. */
import { test } from 'vitest';
import { openStore, testStore } from '../../src/store.js';
import { freshLocation } from '../support/postgres.js';

const cases = testStore(async () => {
  const location = await freshLocation();
  return { open: () => openStore(location), remove: async () => {} };
});

for (const { name, run } of cases) test(name, run);
