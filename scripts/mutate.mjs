// @ts-check
/**
 * `npm run mutate [-- <area or folder> …] [--count 200] [--seed <hash>] [--only src/guard/held-texts.ts:57 …]
 * [--workers 2] [--quick]`: makes small mistakes in the
 * source, one at a time in a scratch copy, and reports those that no test notices. The commit draws them, as many in each area; what
 * the compiler refuses is not drawn. With `--quick` nothing is bundled: what only a built program would notice survives.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, posix } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleIfChanged } from './build.mjs';
import { GO_ENV, TSC } from './compiler.mjs';
import { install } from './install.mjs';
import { AREAS, areaNamed, testFolderOf } from './mutant-areas.mjs';
import { drawMutants } from './mutant-draw.mjs';
import { readReach } from './mutant-reach.mjs';
import { createMutantWorker } from './mutant-worker.mjs';
import { main, root, say } from './process.mjs';
import { reachOf, testFiles } from './reach.mjs';
import { createScratch } from './scratch.mjs';

/**
 * @typedef {import('./mutant-areas.mjs').Area} Area
 * @typedef {import('./mutant-draw.mjs').Drawn} Drawn
 * What is known of test files: `reaching` which tests can notice a mutant, for those of which that was looked up.
 * @typedef {{ durations: import('./mutant-worker-process.mjs').Answer['durations'], green: Set<string>,
 *   reaching: (mutant: Drawn, path: string) => import('./mutant-reach.mjs').PassedTest[] | undefined }} Known
 */

const LEAST_KILLED = 0.9;
const MOST_EQUIVALENT = 0.1;

const RECORDINGS = 'test/recordings.test.ts';

/** For a few it is quicker to run all tests that reach the file than to look which tests come past the place. */
const FEW = 10;

/** A test elsewhere must be so much quicker to come first. */
const OTHER_FOLDER_MS = 5000;

/** Nobody could notice them. @type {{ file: string, from: string, to: string, why: string }[]} */
const listed = JSON.parse(readFileSync(new URL('test/mutants/equivalent.json', root), 'utf8'));

/** @type {Map<string, ReturnType<typeof reachOf>>} what was looked up, because it is the same for every mutant */
const reached = new Map();

await main(import.meta.url, async () => {
  await install();
  const { values, positionals } = parseArgs({
    options: {
      count: { type: 'string', default: '200' },
      seed: { type: 'string' },
      only: { type: 'string', multiple: true },
      quick: { type: 'boolean', default: false },
      workers: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    },
    allowPositionals: true,
  });
  const seed = values.seed ?? String(execFileSync('git', ['rev-parse', 'HEAD'])).trim();
  const named = (positionals.length > 0 ? positionals : Object.keys(AREAS)).map(areaNamed);
  const areas = Object.fromEntries(named.map(([name, area]) => [name, values.quick ? { ...area, built: [] } : area]));
  const drawn = drawMutants(areas, Number(values.count), seed);
  const mutants = drawn.filter(({ file, line }) => values.only?.includes(`${file}:${line}`) ?? true);
  say(`${mutants.length} mutants in ${Object.keys(areas).join(', ')}, drawn by ${seed}`);
  // The types of some tests are those of what was built, so that something has to be there.
  if (!values.quick || !existsSync(new URL('dist', root))) await bundleIfChanged();
  return report(await tryAll(mutants, areas, Number(values.workers)), mutants);
});

/**
 * @param {Drawn[]} mutants
 * @param {Record<string, Area>} areas
 * @param {number} workers
 * @returns {Promise<Map<Drawn, string>>} who noticed each; empty for nobody
 */
async function tryAll(mutants, areas, workers) {
  /** @type {Map<Drawn, string>} */
  const killers = new Map();
  const waiting = inTurns(mutants);
  const known = await lookAround(mutants, areas, workers);
  const work = async () => {
    const scratch = createScratch();
    const worker = createMutantWorker(scratch.folder);
    try {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const killer = await tryOne(scratch, worker, mutant, areas[mutant.area], known);
        killers.set(mutant, killer);
        console.log(`${killer === '' ? 'passed  ' : 'killed  '} ${where(mutant)}${killer && `  (${killer})`}`);
      }
    } finally {
      worker.end();
      scratch.remove();
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  const scratch = createScratch();
  try {
    const passed = mutants.filter((mutant) => killers.get(mutant) === '' && !isEquivalent(mutant));
    for (const mutant of await refusedByTypes(scratch, passed)) killers.set(mutant, 'types of another file');
    for (const mutant of passed) {
      if (killers.get(mutant) === '') killers.set(mutant, await tryLate(scratch, mutant, areas[mutant.area]));
      console.log(`${killers.get(mutant) === '' ? 'SURVIVED' : 'killed  '} ${where(mutant)}`);
    }
  } finally {
    scratch.remove();
  }
  return killers;
}

/**
 * One of each area after the other, so that a run that is stopped has told something of all.
 * @param {Drawn[]} mutants
 */
function inTurns(mutants) {
  const areas = [...new Set(mutants.map(({ area }) => area))].map((area) => mutants.filter((one) => one.area === area));
  return mutants.flatMap((_, turn) => areas.flatMap((own) => own[turn] ?? []));
}

/**
 * @param {Drawn[]} mutants
 * @param {Record<string, Area>} areas
 * @param {number} workers
 * @returns {Promise<Known>}
 */
async function lookAround(mutants, areas, workers) {
  if (mutants.length <= FEW) return { durations: {}, green: new Set(), reaching: () => undefined };
  const scratch = createScratch();
  try {
    const files = mutants.flatMap(({ file, area }) => testsOf(scratch.folder, file, areas[area]));
    const { tests, marked, durations } = await readReach(scratch, mutants, [...new Set(files)], workers);
    const numbers = new Map(mutants.map((mutant, number) => [mutant, number]));
    return {
      durations,
      green: new Set(tests.keys()),
      reaching(mutant, path) {
        const number = numbers.get(mutant) ?? -1;
        return tests.get(path)?.filter(({ marks }) => !marked.has(number) || marks.includes(number));
      },
    };
  } finally {
    scratch.remove();
  }
}

/**
 * Those that reach the file, as does the folder of the source that they are named after: the tests of one agent know all by their list. What no
 * such folder reaches, a suite for instance, is for all of them.
 * @param {string} folder
 * @param {string} file
 * @param {Area | undefined} area
 */
function testsOf(folder, file, area) {
  const near = testFiles(folder, area?.tests ?? []).filter((test) => reaches(folder, test).has(file));
  const doorOf = (/** @type {string} */ test) => `${posix.dirname(test).replace(/^test/, 'src')}/index.ts`;
  const isNamedAfter = (/** @type {string} */ test) => {
    const door = doorOf(test);
    return !existsSync(join(folder, door)) || reaches(folder, door).has(file);
  };
  const own = near.filter(isNamedAfter);
  return own.some((test) => existsSync(join(folder, doorOf(test)))) ? own : near;
}

/**
 * @param {string} folder
 * @param {string} start
 */
function reaches(folder, start) {
  const known = reached.get(start) ?? reachOf(folder, start);
  reached.set(start, known);
  return known;
}

/**
 * @param {import('./scratch.mjs').Scratch} scratch
 * @param {import('./mutant-worker.mjs').MutantWorker} worker
 * @param {Drawn} mutant
 * @param {Area | undefined} area
 * @param {Known} known
 * @returns {Promise<string>}
 */
async function tryOne(scratch, worker, mutant, area, known) {
  const { file, start, end, to } = mutant;
  const files = inOrder(scratch.folder, testsOf(scratch.folder, file, area), mutant, known).flatMap((path) => {
    const reaching = known.reaching(mutant, path);
    if (reaching) return reaching.length > 0 ? [{ path, ids: reaching.map(({ id }) => id) }] : [];
    if (path !== RECORDINGS) return [{ path }];
    const agents = recordedAgents(scratch.folder, file);
    return agents.length > 0 ? [{ path, titles: `^(S0-39 )?'?(${agents.join('|')})[^/ ]*/` }] : [];
  });
  const answer = await scratch.withChange({ file, start, end, to }, () =>
    worker.ask({ changed: [file], files, bail: true }, known.durations),
  );
  Object.assign(known.durations, answer.durations);
  const [killer] = answer.failed;
  if (!killer && answer.unused.includes(RECORDINGS)) throw new Error('no recording has such a title');
  await expectGreen(worker, file, killer, known);
  return killer ?? '';
}

/**
 * Those that the compiler refuses because of another file. Mostly there are none, so all are asked about together, one in each file; each
 * by itself only when something is refused.
 * @param {import('./scratch.mjs').Scratch} scratch
 * @param {readonly Drawn[]} mutants
 * @returns {Promise<Drawn[]>}
 */
async function refusedByTypes(scratch, mutants) {
  if (mutants.length === 0) return [];
  const together = [...new Map(mutants.map((mutant) => [mutant.file, mutant])).values()];
  const rest = mutants.filter((mutant) => !together.includes(mutant));
  const all = (/** @type {readonly Drawn[]} */ some) =>
    some.reduceRight(
      (work, mutant) => () => scratch.withChange(mutant, work),
      () => hasSoundTypes(scratch),
    )();
  const refused = [];
  if (!(await all(together))) {
    // Types that are wrong anyway would refuse everything.
    if (!(await hasSoundTypes(scratch))) throw new Error('the types are wrong anyway: npm run check');
    for (const mutant of together) if (!(await all([mutant]))) refused.push(mutant);
  }
  return [...refused, ...(await refusedByTypes(scratch, rest))];
}

/**
 * @param {import('./scratch.mjs').Scratch} scratch
 * @param {Drawn} mutant
 * @param {Area | undefined} area
 * @returns {Promise<string>} who noticed it; empty for nobody
 */
async function tryLate(scratch, { file, start, end, to }, area) {
  const paths = [...(area?.late ?? []), ...(area?.built ?? [])];
  if (paths.length === 0) return '';
  const flags = ['--bail=1', '--maxWorkers=1'];
  const others = await scratch.withChange({ file, start, end, to }, () =>
    scratch.test(
      paths.map((path) => ({ file: path })),
      flags,
    ),
  );
  if (others.trouble) return 'it does not load, or fails outside of tests';
  const [red] = others.failed;
  if (red === undefined) return '';
  const whole = await scratch.test(
    paths.map((path) => ({ file: path, title: red })),
    flags,
  );
  return whole.failed.length > 0 ? '' : red;
}

/**
 * What was found is kept, so that after the first time only what a change reaches is looked at.
 * @param {import('./scratch.mjs').Scratch} scratch
 */
async function hasSoundTypes(scratch) {
  const kept = ['--incremental', '--tsBuildInfoFile', '.types'];
  return (await scratch.run([...TSC, '-p', 'tsconfig.json', ...kept], GO_ENV)).code === 0;
}

/**
 * A test that is red anyway would kill everything, so the file of each that killed something is run once without any mistake.
 * @param {import('./mutant-worker.mjs').MutantWorker} worker
 * @param {string} changed the runner keeps what it has read: it must hear that this file is whole again
 * @param {string | undefined} killer
 * @param {Known} known
 */
async function expectGreen(worker, changed, killer, known) {
  const path = killer?.split(' ')[0];
  const isNew = path?.endsWith('.test.ts') && path !== RECORDINGS && !known.green.has(path);
  const { failed, durations } = await worker.ask({
    changed: [changed],
    files: isNew && path !== undefined ? [{ path }] : [],
    bail: false,
  });
  if (failed.length > 0) throw new Error(`red without any mistake:\n${failed.join('\n')}`);
  Object.assign(known.durations, durations);
  if (path !== undefined) known.green.add(path);
}

/**
 * All agents that use a file and have recordings.
 * @param {string} folder
 * @param {string} file
 */
function recordedAgents(folder, file) {
  const recorded = readdirSync(join(folder, 'test/recordings'));
  return readdirSync(join(folder, 'src/agent'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && reaches(folder, `src/agent/${entry.name}/index.ts`).has(file))
    .map(({ name }) => name)
    .filter((name) => recorded.some((kind) => kind.startsWith(name)));
}

/**
 * The tests of its own folder first, and the quick ones before the slow ones; of what was never run, the short ones.
 * @param {string} folder
 * @param {string[]} tests
 * @param {Drawn} mutant
 * @param {Known} known
 */
function inOrder(folder, tests, mutant, { durations, reaching }) {
  const own = testFolderOf(posix.dirname(mutant.file));
  const cost = (/** @type {string} */ test) =>
    (reaching(mutant, test)?.reduce((sum, { ms }) => sum + ms, 0) ??
      durations[test]?.file ??
      statSync(join(folder, test)).size / 10) + (posix.dirname(test) === own ? 0 : OTHER_FOLDER_MS);
  const costs = new Map(tests.map((test) => [test, cost(test)]));
  return tests.sort((a, b) => (costs.get(a) ?? 0) - (costs.get(b) ?? 0));
}

/**
 * @param {Map<Drawn, string>} killers
 * @param {Drawn[]} mutants
 */
function report(killers, mutants) {
  const survivors = mutants.filter((mutant) => killers.get(mutant) === '');
  const equivalent = survivors.filter(isEquivalent);
  const killed = (/** @type {Drawn[]} */ some) => some.filter((mutant) => killers.get(mutant) !== '').length;
  for (const area of new Set(mutants.map((mutant) => mutant.area))) {
    const own = mutants.filter((mutant) => mutant.area === area);
    const same = own.filter((mutant) => equivalent.includes(mutant)).length;
    console.log(`${area}: ${killed(own)} of ${own.length - same} killed, ${same} equivalent`);
  }
  for (const mutant of survivors.filter((one) => !isEquivalent(one))) {
    console.log(`\n${where(mutant)}\n  - ${mutant.lineBefore}\n  + ${mutant.lineAfter}`);
  }
  const rate = killed(mutants) / (mutants.length - equivalent.length);
  say(`${killed(mutants)} of ${mutants.length} killed, ${equivalent.length} equivalent: ${(100 * rate).toFixed(1)} %`);
  return rate >= LEAST_KILLED && equivalent.length <= MOST_EQUIVALENT * mutants.length ? 0 : 1;
}

/** @param {Drawn} mutant */
function isEquivalent({ file, lineBefore, lineAfter }) {
  return listed.some((one) => one.file === file && one.from === lineBefore && one.to === lineAfter);
}

/** @param {Drawn} mutant */
function where({ file, line, from, to }) {
  const short = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').slice(0, 60);
  return `${file}:${line} ${short(from)} → ${short(to)}`;
}
