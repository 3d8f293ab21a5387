/** The same task for several agents: what became of each, within one budget, and nothing is left. Real git, real processes. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type CompareOptions, compare, readComparisons } from '../../src/compare/index.js';
import { run } from '../../src/run/index.js';
import { readWorktrees, worktreeDirectory } from '../../src/worktree/index.js';
import { filesOf, git, makeRepository, ownOf } from '../checkpoint/repository.js';
import { ask, init, result, type Step, text } from '../fake-agent/lines.js';
import { FAKE_AGENT, hasty, isRunning, processesOf, scriptVariable, temporaryDirectory } from '../fake-agent/play.js';

const PASSES = 'test -f done.txt';

/** The model says which script is played. */
function options(cwd: string, scripts: Record<string, readonly Step[]>, more: Partial<CompareOptions> = {}) {
  const dir = temporaryDirectory();
  const wanted: CompareOptions = {
    ...{ task: 'Do it', times: 1, atOnce: 2, permission: 'ask', check: PASSES, checkTimeoutMs: 60_000, dir },
    contestants: Object.keys(scripts).map((model) => ({ label: `fake:${model}`, agent: 'fake', model })),
    wish: { cwd },
    request: { stderr: 'discard' },
    start({ model = '', ...request }) {
      const env = { FAKE_AGENT_SCRIPT: scriptVariable(scripts[model] ?? []) };
      const timeoutMs = model === 'hangs' ? 1500 : 0;
      return run({ ...request, agent: hasty, program: FAKE_AGENT, env, survivorGraceMs: 0, timeoutMs });
    },
    sessionOf: async (runId) => `s-${runId.slice(0, 4)}`,
    signal: new AbortController().signal,
    whyStopped: () => 'ended by the user',
    ...more,
  };
  return wanted;
}

const does = (files: Record<string, string>, facts: Record<string, unknown> = {}): Step[] => [
  init(),
  { files },
  text('Done.'),
  result('Done.', facts),
];

/** Agents watch a budget by themselves too, and tell when a turn went beyond it. */
const OVERSPENT = { subtype: 'error_max_budget_usd', is_error: true, total_cost_usd: 9 };

test('one passes, one fails the check, one hangs, one overspends, one asks: each is told as it was', async () => {
  const root = makeRepository({ 'a.txt': 'a\n' });
  const own = ownOf(root);
  const files = filesOf(root);
  const scripts = {
    passes: does({ 'done.txt': 'd\n', 'a.txt': 'b\n' }),
    fails: does({ 'other.txt': 'o\n' }),
    hangs: [init(), { hang: true }],
    overspends: does({ 'done.txt': 'd\n' }, OVERSPENT),
    asks: [init(), ask('req_42', 't', 'Bash', { command: 'rm x' }), { hear: 'req_42' }, result('No.')],
  };
  const wanted = options(root, scripts, { budgetUsd: 100, check: `${PASSES} || { echo no such file; exit 3; }` });
  const { attempts, ...comparison } = await compare(wanted);
  const told = Object.fromEntries(attempts.map((attempt) => [attempt.model, attempt]));
  expect(told).toMatchObject({
    passes: { verdict: 'passed', size: { files: 2, added: 2, removed: 1 }, check: { outcome: 'passed' }, asked: 0 },
    fails: { verdict: 'failed', check: { outcome: 'failed', exitCode: 3, tail: 'no such file' } },
    hangs: { verdict: 'failed', end: { reason: 'timed-out' }, size: { files: 0 } },
    overspends: { verdict: 'failed', end: { reason: 'over-budget', cost: { usd: 9, origin: 'reported' } } },
    asks: { verdict: 'failed', end: { reason: 'finished' }, asked: 1, refused: 1 },
  });
  expect(told.passes).toMatchObject({
    state: 'ended',
    end: { cost: { usd: 0.01 }, turns: 1 },
    session: expect.stringMatching(/^s-/),
  });
  expect(await readComparisons(wanted.dir)).toEqual([{ ...comparison, attempts }]);
  // The user's own is as it was; folders with changes are kept, others are gone.
  expect(filesOf(root)).toEqual(files);
  const { [`${root}/.git/packed-refs`]: _, ...now } = withoutBranches(root, ownOf(root));
  expect(now).toEqual(own);
  expect(existsSync(told.passes?.folder ?? '')).toBe(true);
  expect(existsSync(told.asks?.folder ?? '')).toBe(false);
  for (const { runId = '' } of attempts) expect(processesOf(runId)).toEqual([]);
});

/** What its attempts are allowed to leave. */
function withoutBranches(root: string, own: Record<string, string>): Record<string, string> {
  const isTheirs = (name: string) =>
    /\/\.git\/(worktrees|refs\/heads\/glassbox|logs\/refs\/heads\/glassbox)\//.test(name);
  return Object.fromEntries(Object.entries(own).filter(([name]) => !isTheirs(name.replace(root, ''))));
}

test('when the budget is used up the others do not begin', async () => {
  const wanted = options(makeRepository(), { dear: does({}, OVERSPENT) }, { budgetUsd: 2, times: 3, atOnce: 1 });
  const { attempts } = await compare(wanted);
  expect(attempts).toMatchObject([
    { end: { reason: 'over-budget' } },
    { state: 'not-begun', why: 'the budget is used up', verdict: 'unknown' },
    { state: 'not-begun' },
  ]);
});

test('who ends it ends agents and checks, keeps what is there, and the others do not begin', async () => {
  const root = makeRepository();
  const stop = new AbortController();
  const pidFile = path.join(temporaryDirectory(), 'check.pid');
  const hanging = [init(), { files: { 'half.txt': 'h' } }, { hang: true }];
  const wanted = options(
    root,
    { hanging, checked: does({ 'done.txt': 'd' }) },
    {
      ...{ times: 2, atOnce: 2, signal: stop.signal },
      check: `echo $$ > '${pidFile}.new'; mv '${pidFile}.new' '${pidFile}'; sleep 600 & wait`,
    },
  );
  onTestFinished(() => stop.abort());
  const comparing = compare(wanted);
  const halfOf = async () => (await readComparisons(wanted.dir))[0]?.attempts[0]?.folder ?? '';
  await expect.poll(async () => existsSync(path.join(await halfOf(), 'half.txt')), { timeout: 60_000 }).toBe(true);
  await expect.poll(() => existsSync(pidFile), { timeout: 60_000 }).toBe(true);
  stop.abort();
  const { attempts } = await comparing;
  expect(attempts).toMatchObject([
    {
      state: 'ended',
      end: { reason: 'cancelled' },
      size: { files: 1 },
      check: { outcome: 'not-run' },
      verdict: 'unknown',
    },
    { state: 'ended', end: { reason: 'finished' }, check: { outcome: 'not-run' }, verdict: 'unknown' },
    { state: 'not-begun', why: 'ended by the user' },
    { state: 'not-begun', why: 'ended by the user' },
  ]);
  expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  for (const { runId } of attempts) expect(runId === undefined ? [] : processesOf(runId)).toEqual([]);
  expect(
    git(root, 'show', `refs/glassbox/compare-${(await readComparisons(wanted.dir))[0]?.id}/1/after:half.txt`),
  ).toBe('h');
});

test('a folder that cannot be made, or an agent that is not there, is what became of the attempt', async () => {
  const noCommit = temporaryDirectory();
  git(noCommit, 'init', '-q');
  await expect(compare(options(noCommit, { one: [] }))).rejects.toThrow();
  const wanted = options(makeRepository(), { one: [] });
  const { attempts } = await compare({
    ...wanted,
    start: (request) => run({ ...request, agent: hasty, program: '/nowhere/agent' }),
  });
  expect(attempts).toMatchObject([{ state: 'ended', end: { reason: 'spawn-failed' }, verdict: 'unknown' }]);
  expect(
    (await readWorktrees(worktreeDirectory())).filter(({ path: folder }) => folder === attempts[0]?.folder),
  ).toEqual(expect.not.arrayContaining([expect.objectContaining({ state: 'used' })]));
});
