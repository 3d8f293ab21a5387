import { defineConfig } from 'vitest/config';

const pureFolders = ['event', 'jsonl', 'agent', 'guard', 'decode', 'session', 'view/text'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './scripts/count-reporter.mjs'],
    globalSetup: ['test/support/bundle.ts', 'test/support/temporary.ts'],
    pool: 'threads',
    isolate: false,
    // No test asserts about time; a slow machine must not fail one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: {
      include: ['src/**'],
      exclude: ['src/view/web/**'],
      reportOnFailure: true,
      reporter: ['json-summary', 'html'],
      thresholds: Object.fromEntries(pureFolders.map((folder) => [`src/${folder}/**`, { lines: 90 }])),
    },
  },
});
