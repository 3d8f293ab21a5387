// @ts-check
/** A copy of the repository in the temporary directory that may be broken: one edit at a time, never in the working tree. */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './process.mjs';
import { reachOf, testFiles } from './reach.mjs';

/** What waits so long for something that was broken waits in vain. */
const HANGS_MS = 60_000;

/** Some breaks turn for ever in one place, where no test runner can reach them. */
const SPINS_MS = 600_000;

/**
 * @typedef {{ file: string, from: string, to: string }} Edit `from` stands once in the file
 * @typedef {{ file: string, title?: string }} Wanted a test file or folder, and the words that its titles must have
 * @typedef {{ passed: string[], failed: string[], trouble?: string }} Outcome full titles; `trouble` when tests could not be loaded
 * @typedef {{ file: string, start: number, end: number, to: string }} Change
 * @typedef {{ folder: string, withEdit: <Result>(edit: Edit, work: () => Promise<Result>) => Promise<Result>,
 *   withChange: <Result>(change: Change, work: () => Promise<Result>) => Promise<Result>,
 *   test: (wanted: readonly Wanted[], flags?: readonly string[]) => Promise<Outcome>,
 *   run: (args: string[], env?: Record<string, string>) => Promise<{ code: number | null, output: string }>, remove: () => void }} Scratch
 */

/** @returns {Scratch} */
export function createScratch() {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-scratch-'));
  const from = fileURLToPath(root);
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: from });
  for (const file of String(listed).split('\0').filter(Boolean)) {
    // One that was deleted and not yet committed is still listed.
    if (!existsSync(join(from, file))) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(from, file), join(folder, file));
  }
  if (existsSync(join(from, 'dist'))) cpSync(join(from, 'dist'), join(folder, 'dist'), { recursive: true });
  symlinkSync(join(from, 'node_modules'), join(folder, 'node_modules'), 'junction');

  return {
    folder,
    withEdit({ file, from: old, to }, work) {
      const before = readFileSync(join(folder, file), 'utf8');
      if (before.split(old).length !== 2) throw new Error(`${file} does not have this once: ${old}`);
      const start = before.indexOf(old);
      return withChange({ file, start, end: start + old.length, to }, work);
    },
    withChange,
    test: (wanted, flags = []) => runTests(folder, wanted, flags),
    run: (args, env = {}) => run(folder, args, env),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };

  /** @type {Scratch['withChange']} */
  async function withChange({ file, start, end, to }, work) {
    const path = join(folder, file);
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, before.slice(0, start) + to + before.slice(end));
    try {
      return await work();
    } finally {
      writeFileSync(path, before);
    }
  }
}

/**
 * @param {string} folder
 * @param {readonly Wanted[]} wanted
 * @param {readonly string[]} flags
 * @returns {Promise<Outcome>}
 */
async function runTests(folder, wanted, flags) {
  const report = join(folder, '.report.json');
  rmSync(report, { force: true });
  const files = [...new Set(wanted.map(({ file }) => file))];
  const titles = wanted.flatMap(({ title }) => title ?? []).map(asPattern);
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...files,
    ...(titles.length > 0 ? ['-t', `(${titles.join('|')})`] : []),
    '--reporter=json',
    `--outputFile=${report}`,
    `--testTimeout=${HANGS_MS}`,
    `--hookTimeout=${HANGS_MS}`,
    `--expect.poll.timeout=${HANGS_MS / 2}`,
    ...flags,
  ];
  const needsBundle = files.some((file) => usesBundle(folder, file));
  const { code, output } = await run(folder, args, needsBundle ? {} : { GLASSBOX_TESTS_NO_BUNDLE: '1' });
  if (code === null) return { passed: [], failed: ['it never ended'] };
  if (!existsSync(report)) return { passed: [], failed: [], trouble: lastLines(output) };
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  /** @type {Outcome} */
  const outcome = { passed: [], failed: [] };
  for (const { assertionResults, message, status } of testResults) {
    for (const test of assertionResults) {
      if (test.status === 'passed') outcome.passed.push(test.fullName);
      if (test.status === 'failed') outcome.failed.push(test.fullName);
    }
    if (status === 'failed' && assertionResults.length === 0) outcome.trouble = lastLines(message);
  }
  if (code !== 0 && outcome.failed.length === 0) outcome.trouble ??= lastLines(output);
  return outcome;
}

/**
 * @param {string} cwd
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<{ code: number | null, output: string }>} no code when it had to be killed
 */
function run(cwd, args, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    const spinning = setTimeout(() => child.kill('SIGKILL'), SPINS_MS);
    child.on('close', (code) => {
      clearTimeout(spinning);
      resolve({ code, output });
    });
  });
}

/** Finds just these words. @param {string} words */
export function asPattern(words) {
  return words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** @param {string} text */
function lastLines(text) {
  return text.trim().split('\n').slice(-8).join('\n');
}

/**
 * Whether tests start what is built, by themselves or by what they import; everything else is spared the build.
 * @param {string} folder
 * @param {string} path of a test file or of a folder with some
 */
export function usesBundle(folder, path) {
  return testFiles(folder, [path]).some((file) =>
    [...reachOf(folder, file).values()].some((text) =>
      /dist\/|store-worker|owner\.mjs|soak\.mjs|writer\.mjs/.test(text),
    ),
  );
}
