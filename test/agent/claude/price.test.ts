import { expect, test } from 'vitest';
import { priceOf } from '../../../src/agent/claude/price.js';

/** Model, tokens (input, output, read from cache, written to cache) and the cost that the program itself reported for them. */
const REPORTED: [string, number, number, number, number, number][] = [
  ['claude-opus-5-5', 500, 49, 15000, 100, 0.00648],
  ['claude-opus-5-5', 200, 45, 6000, 40, 0.0031],
  ['claude-sonnet-5-5', 200, 6, 6000, 40, 0.00116],
  ['claude-fable-5-2', 200, 2, 6000, 40, 0.00328],
  ['claude-opus-4-8', 100, 5, 3000, 20, 0.00225],
  ['claude-opus-4-7[1m]', 400, 39, 12000, 80, 0.009475],
  ['claude-opus-5[1m]', 500, 42, 15000, 100, 0.011675],
  ['claude-sonnet-4-5-20250929', 200, 30, 6000, 40, 0.003],
  ['claude-sonnet-4-20250514', 400, 12, 12000, 80, 0.00528],
  ['claude-haiku-4-5-20251001', 600, 46, 18000, 120, 0.00278],
  ['claude-3-5-haiku-20241022', 500, 45, 15000, 100, 0.00188],
];

test.each(REPORTED)('%s costs what was reported for it', (model, input, output, read, write, usd) => {
  const usage = {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: write,
  };
  expect(priceOf(model, usage)).toBeCloseTo(usd, 9);
});

test.each([
  ['a cache for an hour', { cache_creation_input_tokens: 10, cache_creation: { ephemeral_1h_input_tokens: 10 } }, 60],
  ['a search of the web', { server_tool_use: { web_search_requests: 1 } }, 10_000],
  ['a long prompt', { input_tokens: 200_001 }, 6 * 200_001],
])('%s', (_, usage, millionths) => {
  expect(priceOf('claude-sonnet-4-5', usage)).toBeCloseTo(millionths / 1e6, 9);
});

test.each([
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'anthropic/claude-sonnet-4-5',
  'claude-sonnet-4-5@20250929',
])('the name that a provider gives it: %s', (model) => {
  expect(priceOf(model, { input_tokens: 1e6 })).toBeCloseTo(6);
});

test('a model that is not listed has no price', () => {
  expect(priceOf('claude-opus-99', { input_tokens: 100 })).toBeUndefined();
  expect(priceOf('constructor', { input_tokens: 100 })).toBeUndefined();
  expect(priceOf(undefined, { input_tokens: 100 })).toBeUndefined();
});
