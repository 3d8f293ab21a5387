// @ts-check
/**
 * `npm test`: everything that must hold, from a fresh clone. The gates, the build and the package's shape come first,
 * the tests last, and the last line is the test runner's own count.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleIfChanged, emitTypes } from './build.mjs';
import { gates } from './check.mjs';
import { install } from './install.mjs';
import { main, npm, runSteps, tool } from './process.mjs';

/** @type {import('./process.mjs').Step} */
const build = {
  name: 'build',
  run: async () => {
    await bundleIfChanged();
    return emitTypes();
  },
};

/**
 * Lints what would be published, not what lies in the repository.
 * @param {string} scratch
 * @returns {import('./process.mjs').Step}
 */
const packageLint = (scratch) => ({
  name: 'package lint: publint and attw on the packed tarball',
  run: async () => {
    const pack = await npm(['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', scratch]);
    if (pack.code !== 0) return pack;
    const tarball = join(scratch, JSON.parse(pack.output)[0].filename);
    const results = [
      await tool('publint/src/cli.js', [tarball, '--strict']),
      await tool('@arethetypeswrong/cli/dist/index.js', [tarball, '--profile', 'esm-only', '--no-emoji']),
    ];
    return {
      code: Math.max(...results.map((result) => result.code)),
      output: results.map((result) => result.output).join('\n'),
    };
  },
});

await main(import.meta.url, async () => {
  await install();
  const scratch = mkdtempSync(join(tmpdir(), 'glassbox-test-'));
  try {
    // The gates look at what is built too, so it comes first.
    const failed = [...(await runSteps([build])), ...(await runSteps([...gates, packageLint(scratch)]))];
    const tests = await tool('vitest/vitest.mjs', ['run', '--coverage', ...process.argv.slice(2)], {
      inherit: true,
      env: { GLASSBOX_FAILED_GATES: failed.join('; ') },
    });
    return failed.length === 0 ? tests.code : 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
