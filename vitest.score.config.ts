import { defineConfig } from 'vitest/config';

/** `npm run state-score`: one session after the other, because what is measured is how soon something is shown. */
export default defineConfig({
  test: {
    include: ['test/peer/state/*.score.ts'],
    globalSetup: ['test/support/certificates.ts', 'test/support/temporary.ts'],
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    reporters: ['default', './scripts/count-reporter.mjs'],
  },
});
