// @ts-check
/**
 * `npm test`: everything that must hold, from a fresh clone. The gates, the package's shape and the tests whose lines are
 * counted go on beside the other tests, because those wait for programs and browsers much of their time. It ends whatever hangs,
 * and says what that was; the last line is the count of all tests.
 */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleIfChanged, emitTypes } from './build.mjs';
import { gates } from './check.mjs';
import { install } from './install.mjs';
import { killProgramsWith } from './left-behind.mjs';
import { main, npm, runSteps, tool } from './process.mjs';
import { countedTests } from './pure-folders.mjs';
import { lastLines, noTests } from './test-count.mjs';

/** @type {import('./process.mjs').Step} */
const build = {
  name: 'build',
  run: async () => {
    await bundleIfChanged();
    return emitTypes({ check: false });
  },
};

/** More than there are cores: tests that start programs and browsers wait for them much of their time. */
const WORKERS = `--maxWorkers=${availableParallelism() * 2}`;

/** The runner tells itself when no test ends (`hang-reporter.mjs`); this is for a runner that cannot. */
const PART_HANGS_MS = 3_600_000;

/** Where the package is when it was packed, as a whole. @param {string} scratch */
const packedIn = (scratch) => join(scratch, 'glassbox.tgz');

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
    const tarball = packedIn(scratch);
    renameSync(join(scratch, JSON.parse(pack.output)[0].filename), tarball);
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

/**
 * Some of the tests, as a step that prints only when it fails, unless it owns the terminal.
 * @param {string} name
 * @param {string} scratch
 * @param {string[]} args
 * @param {{ inherit?: boolean }} [options]
 */
const tests = (name, scratch, args, options) => {
  const file = join(scratch, `${name}.json`);
  return {
    name,
    run: () =>
      // What one part has transformed, the other need not.
      tool('vitest/vitest.mjs', ['run', '--experimental.fsModuleCache', ...args], {
        ...options,
        limitMs: PART_HANGS_MS,
        env: { GLASSBOX_COUNT_FILE: file, GLASSBOX_TYPES_EMITTED: '1', GLASSBOX_PACKED: packedIn(scratch) },
      }),
    /** @returns {import('./test-count.mjs').Count} */
    count: () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : noTests()),
  };
};

await main(import.meta.url, async () => {
  await install();
  const scratch = mkdtempSync(join(tmpdir(), 'glassbox-test-'));
  try {
    // The gates look at what is built too, so it comes first.
    const failed = await runSteps([build]);
    const wanted = process.argv.slice(2);
    // Counting lines slows tests down: only those run under it whose folders have a threshold.
    const counted = countedTests();
    const others = [WORKERS, ...counted.flatMap((path) => ['--exclude', path])];
    const all = tests('tests', scratch, wanted.length > 0 ? wanted : others, { inherit: true });
    // One worker loads the source once, and it has time: the other tests take longer.
    const lines = tests('tests with counted lines', scratch, ['--coverage', '--maxWorkers=1', ...counted]);
    const parts = wanted.length > 0 ? [all] : [lines, all];
    const [failedBeside, { code }] = await Promise.all([
      // One after the other: the tests have the rest of the machine.
      runSteps([...gates, packageLint(scratch), ...parts.slice(0, -1)], { sideBySide: 1 }),
      all.run(),
    ]);
    failed.push(...failedBeside, ...(code === 0 ? [] : [all.name]));
    const counts = parts.map((part) => part.count());
    // A part of which no test failed has hung, or missed a threshold.
    const untold = failed.filter((name) => !parts.some((part) => part.name === name && part.count().failed > 0));
    console.log(lastLines(counts, untold));
    return failed.length === 0 ? 0 : 1;
  } finally {
    // Nothing but what was ended by force leaves something here.
    killProgramsWith(scratch);
    rmSync(scratch, { recursive: true, force: true });
  }
});
