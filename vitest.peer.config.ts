import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';

/** Real programs, several at a time, because they wait as much as they work; each brings its own processes and model. */
export default defineConfig({
  test: {
    // Over two hundred scenes take longer than everything else here: they are played when somebody asks for them.
    include: [process.env.GLASSBOX_TWINS ? 'test/peer/twin.peer.ts' : 'test/peer/**/!(twin).peer.ts'],
    globalSetup: ['test/support/certificates.ts', 'test/support/temporary.ts'],
    // Beside the longest file, which takes half of the time, the others: one after the other they left a core without work.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    maxConcurrency: 3,
    // No test asserts about time; some agents take half a minute to start on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // Programs of others, with timers of their own, on a busy machine: what fails twice is ours, and what needed a second try is named.
    retry: 1,
    reporters: ['default', './scripts/hang-reporter.mjs', './scripts/count-reporter.mjs'],
  },
});
