// node --test examples/own-store/test.mjs
// The cases that the built-in store passes, in whatever test runner you like.
import { test } from 'node:test';
import { testStore } from 'glassbox/store';
import { createMemoryStores } from './store.mjs';

const cases = testStore(async () => ({ ...createMemoryStores(), remove: async () => {} }));

for (const { name, run } of cases) await test(name, run);
