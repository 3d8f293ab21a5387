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
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleIfChanged } from './build.mjs';
import { GO_ENV, TSC } from './compiler.mjs';
import { createCompiler } from './compiles.mjs';
import { install } from './install.mjs';
import { AREAS, areaNamed, testFolderOf } from './mutant-areas.mjs';
import { readReach } from './mutant-reach.mjs';
import { createMutantWorker } from './mutant-worker.mjs';
import { mutantsOf } from './mutants.mjs';
import { main, root, say } from './process.mjs';
import { shuffled } from './random.mjs';
import { reachOf, testFiles } from './reach.mjs';
import { createScratch } from './scratch.mjs';

/**
 * @typedef {import('./mutant-areas.mjs').Area} Area
 * @typedef {import('./mutants.mjs').Mutant & { area: string, from: string, lineBefore: string, lineAfter: string }} Drawn
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
 * @param {Record<string, Area>} areas
 * @param {number} count
 * @param {string} seed
 * @returns {Drawn[]}
 */
function drawMutants(areas, count, seed) {
  const files = readdirSync(new URL('src', root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => posix.join('src', entry.parentPath.slice(fileURLToPath(new URL('src', root)).length), entry.name))
    .sort();
  const share = Math.ceil(count / Object.keys(areas).length);
  const lots = Object.entries(areas).map(([area, { files: pattern }]) => {
    const all = files
      .filter((file) => pattern.test(file))
      .flatMap((file) => {
        const text = readFileSync(new URL(file, root), 'utf8');
        return mutantsOf(file, text).map((mutant) => ({ area, text, ...mutant, ...excerpt(text, mutant) }));
      });
    if (all.length === 0) throw new Error(`${area}: nothing there could be mistaken; has its source moved?`);
    return shuffled(all, `${seed} ${area}`);
  });
  return soundOf(lots, share).map(({ text: _, ...mutant }) => mutant);
}

/**
 * The first ones of each lot that the compiler lets pass.
 * @template {import('./mutants.mjs').Mutant & { text: string }} Candidate
 * @param {Candidate[][]} lots
 * @param {number} share
 * @returns {Candidate[]}
 */
function soundOf(lots, share) {
  const compiles = createCompiler();
  const refused = new Set();
  const sound = new Set();
  for (;;) {
    const drawn = lots.flatMap((lot) => lot.filter((mutant) => !refused.has(mutant)).slice(0, share));
    // One in each file at a time, so that none is refused for another.
    const asked = new Map(drawn.filter((mutant) => !sound.has(mutant)).map((mutant) => [mutant.file, mutant]));
    if (asked.size === 0) return drawn;
    const changes = [...asked].map(
      ([file, { text, start, end, to }]) => /** @type {const} */ ([file, text.slice(0, start) + to + text.slice(end)]),
    );
    const passed = compiles(new Map(changes));
    for (const [file, mutant] of asked) (passed.has(file) ? sound : refused).add(mutant);
  }
}

/**
 * The lines as they were and as they are, for people and for the list of equivalents.
 * @param {string} text
 * @param {import('./mutants.mjs').Mutant} mutant
 */
function excerpt(text, { start, end, to }) {
  const before = text.lastIndexOf('\n', start - 1) + 1;
  const after = text.indexOf('\n', end);
  const rest = text.slice(end, after < 0 ? undefined : after);
  const head = text.slice(before, start);
  return {
    from: text.slice(start, end),
    lineBefore: `${head}${text.slice(start, end)}${rest}`.trim(),
    lineAfter: `${head}${to}${rest}`.trim(),
  };
}

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
        console.log(`${killer === '' ? 'SURVIVED' : 'killed  '} ${where(mutant)}${killer && `  (${killer})`}`);
      }
    } finally {
      worker.end();
      scratch.remove();
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
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
  if (killer !== undefined) return killer;
  const isSound = await scratch.withChange({ file, start, end, to }, () => hasSoundTypes(scratch));
  // Types that are wrong anyway would kill everything that the tests let pass.
  if (!isSound && !(await hasSoundTypes(scratch))) throw new Error('the types are wrong anyway: npm run check');
  if (!isSound) return 'types of another file';
  if (!area || area.built.length === 0) return '';
  return scratch.withChange({ file, start, end, to }, async () => {
    const built = await scratch.test(
      area.built.map((path) => ({ file: path })),
      ['--bail=1', '--maxWorkers=1'],
    );
    return built.trouble ? 'it does not load, or fails outside of tests' : (built.failed[0] ?? '');
  });
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
  /** @type {{ file: string, from: string, to: string, why: string }[]} */
  const listed = JSON.parse(readFileSync(new URL('test/mutants/equivalent.json', root), 'utf8'));
  const isEquivalent = (/** @type {Drawn} */ { file, lineBefore, lineAfter }) =>
    listed.some((one) => one.file === file && one.from === lineBefore && one.to === lineAfter);
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
function where({ file, line, from, to }) {
  const short = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').slice(0, 60);
  return `${file}:${line} ${short(from)} → ${short(to)}`;
}
