/** What may be said of attempts: pass, failure or unknown, pass@k, and whether a later comparison is worse. */
import { expect, test } from 'vitest';
import { type Baseline, baselineOf, isBaseline, judge, likelihood } from '../../src/compare/baseline.js';
import type { Attempt, Comparison } from '../../src/compare/comparison.js';
import { attemptsOf, contestantsFrom } from '../../src/compare/contestant.js';
import { createPurse } from '../../src/compare/purse.js';
import { reportOf } from '../../src/compare/standing.js';
import { passAll, passAt, verdictOf } from '../../src/compare/verdict.js';

const end = { reason: 'finished', turns: 1, durationMs: 10 } as const;
const passed = { outcome: 'passed', durationMs: 1 } as const;
const failed = { outcome: 'failed', exitCode: 1, durationMs: 1 } as const;

test.each<[why: string, facts: Partial<Attempt>, verdict: string]>([
  ['finished and passed', { end, check: passed }, 'passed'],
  ['finished and failed', { end, check: failed }, 'failed'],
  ['a check that took too long', { end, check: { outcome: 'timed-out', durationMs: 1 } }, 'failed'],
  ['no check', { end }, 'unknown'],
  ['a check that nobody waited for', { end, check: { outcome: 'not-run', durationMs: 1 } }, 'unknown'],
  ['out of time, though the check passes', { end: { ...end, reason: 'timed-out' }, check: passed }, 'failed'],
  ['over budget', { end: { ...end, reason: 'over-budget' }, check: passed }, 'failed'],
  ['a crash', { end: { ...end, reason: 'crashed' }, check: failed }, 'failed'],
  ['ended by a person', { end: { ...end, reason: 'cancelled' }, check: failed }, 'unknown'],
  ['not installed', { end: { ...end, reason: 'spawn-failed' } }, 'unknown'],
  ['a limit of the account', { end: { ...end, reason: 'failed', parked: { until: 1 } }, check: failed }, 'unknown'],
  ['not logged in', { end: { ...end, reason: 'failed', error: 'auth' }, check: failed }, 'unknown'],
  ['a refusal of the model', { end: { ...end, reason: 'failed', error: 'refusal' }, check: failed }, 'failed'],
  ['still at work', { state: 'running' }, 'unknown'],
  ['cut off', { state: 'cut-off', end, check: passed }, 'unknown'],
])('%s', (_, facts, verdict) => {
  expect(verdictOf({ state: 'ended', ...facts })).toBe(verdict);
});

test('pass@k and pass^k are without bias, and unknown with too few', () => {
  const some = { passed: 2, known: 5, unknown: 1 };
  expect(passAt(1, some)).toBeCloseTo(2 / 5);
  // Of the 10 pairs 3 have none that passed, and 1 has two.
  expect(passAt(2, some)).toBeCloseTo(7 / 10);
  expect(passAll(2, some)).toBeCloseTo(1 / 10);
  expect(passAt(4, some)).toBe(1);
  expect(passAll(3, some)).toBe(0);
  expect(passAt(6, some)).toBeUndefined();
  expect(passAt(1, { passed: 0, known: 0, unknown: 3 })).toBeUndefined();
});

const compared = (results: Readonly<Record<string, string>>): Comparison => ({
  ...{
    schema: 1,
    id: 'x4kd2p',
    task: 't',
    fingerprint: 'f',
    project: '/p',
    base: 'b',
    permission: 'ask',
    startedAt: 1,
  },
  attempts: Object.entries(results)
    .flatMap(([label, letters]) => [...letters].map((letter) => ({ label, letter })))
    .map(({ label, letter }, index) => ({
      ...{ label, agent: label, number: index + 1, state: 'ended', asked: 0, refused: 0 },
      verdict: letter === '+' ? 'passed' : letter === '-' ? 'failed' : 'unknown',
    })),
});

test('the chance that so few pass is that of Fisher’s exact test', () => {
  const of = (passes: number, known: number) => ({ passed: passes, known, unknown: 0 });
  expect(likelihood(of(3, 3), of(0, 3))).toBe(0.05);
  expect(likelihood(of(10, 10), of(10, 10))).toBe(1);
  // R: fisher.test(matrix(c(2, 8, 9, 1), 2), alternative = "less")$p.value
  expect(likelihood(of(9, 10), of(2, 10))).toBeCloseTo(0.002738, 5);
  expect(likelihood(of(0, 0), of(0, 3))).toBe(1);
});

test.each<[before: string, now: string, what: string]>([
  ['+++', '---', 'worse'],
  ['+++', '+--', 'not-worse'],
  ['+++', '+++', 'not-worse'],
  ['---', '+++', 'too-few'],
  ['++', '--', 'too-few'],
  ['+++', '??-', 'too-few'],
  ['+++???', '---???', 'worse'],
  ['++++++++++', '++++++++--', 'not-worse'],
  ['++++++++++', '+++++-----', 'worse'],
])('%s before and %s now is %s', (before, now, what) => {
  const baseline = JSON.parse(JSON.stringify(baselineOf(compared({ one: before }), 1))) as Baseline;
  expect(isBaseline(baseline)).toBe(true);
  expect(judge(baseline, compared({ one: now, two: '-' }))).toMatchObject([{ what }, { label: 'two', what: 'new' }]);
});

test.each([null, 1, {}, { schema: 1, fingerprint: 'f', contestants: [{ label: 'a', passed: -1, known: 1 }] }])(
  'what is no baseline is not taken for one',
  (value) => expect(isBaseline(value)).toBe(false),
);

test('contestants are read from words, and what makes no sense is said', () => {
  const isKnown = (agent: string) => agent !== 'nobody' && agent !== '';
  expect(contestantsFrom(['one', 'two:some/model:x'], isKnown)).toEqual([
    { label: 'one', agent: 'one' },
    { label: 'two:some/model:x', agent: 'two', model: 'some/model:x' },
  ]);
  for (const [words, why] of [
    [['nobody'], 'no agent named nobody'],
    [[':model'], 'no agent named'],
    [['one:'], 'Name the model'],
    [['one', 'one'], 'named twice'],
  ] as const)
    expect(() => contestantsFrom(words, isKnown)).toThrow(why);
  expect(() => attemptsOf([{ label: 'one', agent: 'one' }], 101)).toThrow('More than 100');
  expect(
    attemptsOf(
      [
        { label: 'a', agent: 'a' },
        { label: 'b', agent: 'b' },
      ],
      2,
    ).map(({ label }) => label),
  ).toEqual([...['a', 'b', 'a', 'b']]);
});

test('a budget over all: equal shares, what is left goes on, and what is not known counts as spent', () => {
  const purse = createPurse(4, 4);
  const first = purse.take();
  const second = purse.take();
  expect([first, second]).toEqual([1, 1]);
  purse.giveBack(first, { usd: 0.5, scope: 'process', origin: 'reported' });
  expect(purse.take()).toBe(1.25);
  purse.giveBack(second, undefined);
  purse.giveBack(1.25, { usd: 3, scope: 'process', origin: 'reported' });
  expect(purse.take()).toBe(0);
  expect(createPurse(undefined, 2).take()).toBeUndefined();
});

test('what an agent came to: a cost that is unknown once is at least the rest', () => {
  const comparison = compared({ one: '+-' });
  const [first, second] = comparison.attempts;
  const cost = { usd: 0.5, scope: 'process', origin: 'reported' } as const;
  const attempts = [
    { ...first, end: { ...end, cost } },
    { ...second, end: { ...end, durationMs: 30 } },
  ] as Attempt[];
  expect(reportOf({ ...comparison, attempts }).standings).toEqual([
    {
      ...{ label: 'one', attempts: 2, passed: 1, known: 2, unknown: 0, k: 2 },
      ...{ passAt1: 0.5, passAtK: 1, passAllK: 0, durationMs: 20 },
      cost: { usd: 0.5, scope: 'session', origin: 'lower-bound' },
    },
  ]);
});
