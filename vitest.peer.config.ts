import { defineConfig } from 'vitest/config';

/** Real programs: one file at a time, because each brings its own processes and model. */
export default defineConfig({
  test: {
    include: ['test/peer/**/*.peer.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', './scripts/count-reporter.mjs'],
  },
});
