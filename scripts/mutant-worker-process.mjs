// @ts-check
/**
 * One process of `npm run mutate` that keeps the test runner loaded: it is told which file changed and which tests to run, and tells
 * what failed first. Whoever started it counts what it takes, and ends it when it hangs.
 */
import { createVitest, parseCLI } from 'vitest/node';

/**
 * Paths below the folder in which it runs, and of a file the tests that matter, by their ids or by their titles.
 * @typedef {{ changed: string[], files: { path: string, titles?: string, ids?: string[] }[], bail: boolean }} Question
 * `unused` are files of which no test was run: the titles were wrong. What passed is told where the marks of places are asked for.
 * @typedef {{ failed: string[], unused: string[], durations: Record<string, { file: number, longest: number }>,
 *   passed: Record<string, import('./mutant-reach.mjs').PassedTest[]>, loading: number[] }} Answer
 * @typedef {{ began: string } | { passed: true } | { answer: Answer }} Report
 */

/** Whoever is told `passed` knows that something moves; vitest's own bounds are in seconds of a clock, and here a slow machine is no mistake. */
const NEVER_MS = 3_600_000;

class AsTold {
  /** @param {import('vitest/node').TestSpecification[]} files */
  async shard(files) {
    return files;
  }
  /** @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    return files;
  }
}

const wantsMarks = process.env.GLASSBOX_MUTANT_MARKS === '1';

const { options } = parseCLI(['vitest', 'run']);
const vitest = await createVitest('test', {
  ...options,
  watch: false,
  // A thread is started sooner than a process, and here that is done for every mistake.
  pool: 'threads',
  maxWorkers: Number(process.env.GLASSBOX_MUTANT_WORKERS ?? 1),
  ...(wantsMarks ? { setupFiles: ['test/support/seed.ts', 'scripts/mutant-marks.mjs'] } : {}),
  testTimeout: NEVER_MS,
  hookTimeout: NEVER_MS,
  sequence: { sequencer: AsTold },
  reporters: [
    {
      onTestModuleStart: (module) => tell({ began: module.relativeModuleId }),
      onTestCaseResult: () => tell({ passed: true }),
    },
  ],
});

/** @param {Question} question */
async function run({ changed, files, bail }) {
  for (const file of changed) vitest.invalidateFile(`${vitest.config.root}/${file}`);
  vitest.config.bail = bail ? 1 : 0;
  for (const project of vitest.projects) project.config.bail = vitest.config.bail;
  const project = vitest.getRootProject();
  const wanted = files.map(({ path, titles, ids }) =>
    project.createSpecification(`${vitest.config.root}/${path}`, {
      ...(titles ? { testNamePattern: new RegExp(titles) } : {}),
      ...(ids ? { testIds: ids } : {}),
    }),
  );
  // What failed before would count against this one.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  vitest.state.errorsSet.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted, false);
  tell({ answer: answerOf(testModules, unhandledErrors) });
}

process.on('message', (/** @type {Question} */ question) => void run(question));
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });

/**
 * @param {readonly import('vitest/node').TestModule[]} modules
 * @param {readonly unknown[]} unhandled
 * @returns {Answer}
 */
function answerOf(modules, unhandled) {
  /** @type {Answer} */
  const answer = { failed: [], unused: [], durations: {}, passed: {}, loading: [] };
  for (const module of modules) {
    let longest = 0;
    if ([...module.children.allTests()].every((test) => test.result().state === 'skipped')) {
      answer.unused.push(module.relativeModuleId);
    }
    for (const test of module.children.allTests()) {
      longest = Math.max(longest, test.diagnostic()?.duration ?? 0);
      if (test.result().state === 'failed') answer.failed.push(`${module.relativeModuleId} › ${test.fullName}`);
    }
    if (module.errors().length > 0) answer.failed.push(`${module.relativeModuleId} does not load`);
    if (wantsMarks) answer.passed[module.relativeModuleId] = passedTests(module);
    answer.loading.push(...marksOf(module.meta(), 'loading'));
    // One that failed or was left out was not run to its end.
    if (module.state() === 'passed') {
      answer.durations[module.relativeModuleId] = { file: module.diagnostic().duration, longest };
    }
  }
  if (answer.failed.length === 0 && unhandled.length > 0) answer.failed.push(`outside of tests: ${unhandled[0]}`);
  return answer;
}

/**
 * @param {import('vitest/node').TestModule} module
 * @returns {import('./mutant-reach.mjs').PassedTest[]}
 */
function passedTests(module) {
  const shared = marksOf(module.meta(), 'marks');
  return [...module.children.allTests('passed')].map((test) => ({
    id: test.id,
    ms: test.diagnostic()?.duration ?? 0,
    marks: [...shared, ...marksOf(test.meta(), 'marks')],
  }));
}

/**
 * As `mutant-marks.mjs` left them.
 * @param {object} meta
 * @param {'marks' | 'loading'} name
 * @returns {number[]}
 */
function marksOf(meta, name) {
  const marks = Object.entries(meta).find(([key]) => key === name)?.[1];
  return Array.isArray(marks) ? marks : [];
}

/** @param {Report} report */
function tell(report) {
  process.send?.(report);
}
