/** What a million tokens cost: the table once more, because a slip of the pen in it would be believed. */
import { expect, test } from 'vitest';
import { ratesOf } from '../../../src/agent/codex/price.js';

test.each([
  ['gpt-5', 1.25, 0.125, 10],
  ['gpt-5-codex', 1.25, 0.125, 10],
  ['gpt-5-mini', 0.25, 0.025, 2],
  ['gpt-5.1', 1.25, 0.125, 10],
  ['gpt-5.1-codex', 1.25, 0.125, 10],
  ['gpt-5.1-codex-max', 1.25, 0.125, 10],
  ['gpt-5.1-codex-mini', 0.25, 0.025, 2],
  ['gpt-5.2', 1.75, 0.175, 14],
  ['gpt-5.2-codex', 1.75, 0.175, 14],
  ['gpt-5.3-codex', 1.75, 0.175, 14],
  ['gpt-5.4', 2.5, 0.25, 15],
  ['gpt-5.4-mini', 0.75, 0.075, 4.5],
  ['gpt-5.5', 5, 0.5, 30],
])('%s', (model, input, cacheRead, output) => {
  const rates = { input, cacheRead, cacheWrite: input, output };
  expect(ratesOf(model)).toEqual(rates);
  expect(ratesOf(`${model}-2026-01-31`)).toEqual(rates);
});

test.each([undefined, 'gpt-99', 'toString'])('%s has no price', (model) => {
  expect(ratesOf(model)).toBeUndefined();
});
