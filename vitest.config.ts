import { defineConfig } from 'vitest/config';
import { pureFolders } from './scripts/pure-folders.mjs';
import { LongestFirst } from './test/support/longest-first.js';
import { HANGS_MS, PATIENCE_MS } from './test/support/patience.js';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './scripts/hang-reporter.mjs', './scripts/count-reporter.mjs'],
    globalSetup: [
      'test/support/bundle.ts',
      'test/support/certificates.ts',
      'test/support/commit.ts',
      'test/support/temporary.ts',
      'test/support/postgres.ts',
    ],
    setupFiles: ['test/support/seed.ts'],
    sequence: { sequencer: LongestFirst },
    // To start a program, the system copies the tables of all memory of the process that starts it: beside the runner itself, and all
    // other tests, that took most of the time which the system had to spend.
    pool: 'forks',
    isolate: false,
    // No core is left out; `npm test` takes more workers for the tests that wait.
    maxWorkers: '100%',
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    // After it the runner leaves without a word, with a thread or a database that is still on its way out.
    teardownTimeout: HANGS_MS,
    // Where nobody can look again, a test is tried once more; what needed it is named before the count, and is a defect.
    retry: process.env.CI ? 1 : 0,
    expect: { poll: { timeout: PATIENCE_MS } },
    coverage: {
      include: pureFolders.map((folder) => `src/${folder}/**`),
      reportOnFailure: true,
      // `--coverage.reporter=html` draws the lines, for who wants to look.
      reporter: ['json-summary'],
      thresholds: Object.fromEntries(pureFolders.map((folder) => [`src/${folder}/**`, { lines: 90 }])),
    },
  },
});
