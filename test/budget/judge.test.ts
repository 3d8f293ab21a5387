/** Budgets over many runs: what was spent decides, and what is unknown is never taken for free. */
import { describe, expect, test } from 'vitest';
import { type Budget, judgeBudgets, periodStart, type Spending, stateOf } from '../../src/budget/index.js';

const NOW = Date.UTC(2026, 10, 17, 23, 59);
const budget: Budget = { id: 'b', period: 'day', usd: 10, running: 'finish', unknown: 'count' };
const work = { project: 'shop', principal: 'ann' };

const state = (spent: Partial<Spending>, facts: Partial<Budget> = {}) =>
  stateOf({ ...budget, ...facts }, { usd: 0, unknownRuns: 0, ...spent }, NOW);

test.each<[usd: number, state: string]>([
  [0, 'open'],
  [7.99, 'open'],
  [8, 'warned'],
  [9.99, 'warned'],
  [10, 'spent'],
  [12, 'spent'],
])('of 10 dollars %d are spent: %s', (usd, expected) => {
  expect(state({ usd }).state).toBe(expected);
});

test('periods begin in UTC, whatever the place', () => {
  expect(periodStart('day', NOW)).toBe(Date.UTC(2026, 10, 17));
  expect(periodStart('month', NOW)).toBe(Date.UTC(2026, 10, 1));
  for (let month = 0; month < 600; month += 1) {
    const first = Date.UTC(1999, month, 1);
    expect(periodStart('month', first)).toBe(first);
    expect(periodStart('month', Date.UTC(1999, month + 1, 1) - 1)).toBe(first);
  }
  expect(state({ usd: 1 }).since).toBe(Date.UTC(2026, 10, 17));
});

describe('work', () => {
  test('begins while every budget about it has something left, and may spend what the tightest has', () => {
    const states = [state({ usd: 9 }), state({ usd: 1 }, { project: 'shop' }), state({ usd: 99 }, { project: 'blog' })];
    expect(judgeBudgets(states, work)).toEqual({ leftUsd: 1, ends: false });
    expect(judgeBudgets([], work)).toEqual({ ends: false });
    expect(judgeBudgets([state({ usd: 99 }, { principal: 'bob' })], work)).toEqual({ ends: false });
  });

  test('waits when one is spent, which is named', () => {
    const { parked, leftUsd } = judgeBudgets([state({ usd: 12.5 }, { project: 'shop' })], work);
    expect(parked).toBe('The budget b of this day for project shop is spent: $12.50 of $10.00.');
    expect(leftUsd).toBe(0);
  });

  test('that goes on is ended only where that was chosen, and only by what was spent', () => {
    expect(judgeBudgets([state({ usd: 12 })], work).ends).toBe(false);
    expect(judgeBudgets([state({ usd: 12 }, { running: 'end' })], work).ends).toBe(true);
    const refusing = state({ usd: 1, unknownRuns: 2 }, { running: 'end', unknown: 'refuse' });
    expect(judgeBudgets([refusing], work).ends).toBe(false);
  });

  test('of unknown cost is counted, or keeps more from beginning', () => {
    expect(judgeBudgets([state({ unknownRuns: 2 })], work).parked).toBeUndefined();
    const { parked } = judgeBudgets([state({ unknownRuns: 2 }, { unknown: 'refuse' })], work);
    expect(parked).toMatch(/refuses work of unknown cost, and of 2 runs it is not known/);
    expect(judgeBudgets([state({ unknownRuns: 0 }, { unknown: 'refuse' })], work).parked).toBeUndefined();
  });
});
