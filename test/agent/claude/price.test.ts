import { expect, test } from 'vitest';
import { priceOf } from '../../../src/agent/claude/price.js';

type Tokens = [input: number, output: number, read: number, write: number];

const usageOf = ([input, output, read, write]: Tokens) => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: write,
});

/** Model, tokens and the cost that the program itself reported for them, 2.1.325 where nothing else is said. */
const REPORTED: [model: string, tokens: Tokens, usd: number, version?: string][] = [
  ['claude-opus-5-5', [500, 49, 15000, 100], 0.00648],
  ['claude-opus-5-5', [200, 45, 6000, 40], 0.0031],
  ['claude-sonnet-5-5', [200, 6, 6000, 40], 0.00116],
  ['claude-fable-5-2', [200, 2, 6000, 40], 0.00328],
  ['claude-opus-4-8', [100, 5, 3000, 20], 0.00225],
  ['claude-opus-4-7[1m]', [400, 39, 12000, 80], 0.009475],
  ['claude-opus-5[1m]', [500, 42, 15000, 100], 0.011675],
  ['claude-sonnet-4-5-20250929', [200, 30, 6000, 40], 0.003],
  ['claude-sonnet-4-20250514', [400, 12, 12000, 80], 0.00528],
  ['claude-haiku-4-5-20251001', [600, 46, 18000, 120], 0.00278],
  ['claude-3-5-haiku-20241022', [500, 45, 15000, 100], 0.00188],
  ...['', '[1m]'].flatMap((window): [string, Tokens, number][] => [
    [`claude-sonnet-4-20250514${window}`, [1_000_000, 0, 0, 0], 3],
    [`claude-sonnet-4-5-20250929${window}`, [1_000_000, 1000, 0, 0], 3.015],
    [`claude-sonnet-4-6${window}`, [0, 0, 1_000_000, 0], 0.3],
    [`claude-opus-5${window}`, [0, 0, 0, 1_000_000], 6.25],
    [`claude-fable-5-2${window}`, [0, 1_000_000, 0, 0], 40],
  ]),
  ['claude-haiku-5-5', [100_000, 1000, 0, 0], 0.0105],
  ['claude-haiku-5-5', [100_001, 1000, 0, 0], 0.0525005],
  ['claude-haiku-5-5', [50_000, 1000, 25_000, 25_001], 0.044375625],
  ['claude-haiku-5-5', [0, 1_000_000, 0, 0], 0.5],
  ['claude-sonnet-4-5-20250929', [1_000_000, 1_000_000, 0, 0], 28.5, '1.0.128'],
  ['claude-sonnet-4-20250514', [0, 1_000_000, 1_000_000, 0], 23.1, '2.0.77'],
  ['claude-sonnet-4-6', [1_000_000, 1_000_000, 0, 0], 28.5, '2.1.74'],
  ['claude-opus-4-6', [1_000_000, 1_000_000, 0, 0], 47.5, '2.1.74'],
  ['claude-sonnet-4-6', [1_000_000, 1_000_000, 0, 0], 18, '2.1.75'],
  ['claude-sonnet-4-6', [1_000_000, 1_000_000, 0, 0], 18, '2.1.128'],
];

test.each(REPORTED)('%s costs what was reported for %j: %d', (model, tokens, usd, version) => {
  expect(priceOf(model, usageOf(tokens), version)).toBeCloseTo(usd, 9);
});

/** Reported by 2.1.325 for a million input tokens where nothing else is said. */
test.each<[string, string, object, number]>([
  [
    'an hour’s cache',
    'claude-opus-5-5',
    { ...usageOf([0, 0, 0, 1e6]), cache_creation: { ephemeral_1h_input_tokens: 1e6 } },
    8,
  ],
  ['ten searches of the web', 'claude-opus-5-5', { server_tool_use: { web_search_requests: 10 } }, 0.1],
  ['another place', 'claude-opus-5-5', { input_tokens: 1e6, inference_geo: 'us' }, 4.4],
  ['a better service', 'claude-opus-5-5', { input_tokens: 1e6, service_tier: 'priority' }, 4],
  ['more speed', 'claude-opus-5-5', { input_tokens: 1e6, speed: 'fast' }, 8],
  ['more speed, of an older model', 'claude-opus-4-6', { input_tokens: 1e6, speed: 'fast' }, 30],
  ['more speed where there is none', 'claude-sonnet-5-5', { input_tokens: 1e6, speed: 'fast' }, 2],
])('%s', (_, model, usage, usd) => {
  expect(priceOf(model, { ...usage })).toBeCloseTo(usd, 9);
});

test.each([
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'anthropic/claude-sonnet-4-5',
  'claude-sonnet-4-5@20250929',
])('the name that a provider gives it: %s', (model) => {
  expect(priceOf(model, { input_tokens: 1e6 })).toBeCloseTo(3);
});

test('a model that is not listed has no price', () => {
  expect(priceOf('claude-opus-99', { input_tokens: 100 })).toBeUndefined();
  expect(priceOf('constructor', { input_tokens: 100 })).toBeUndefined();
  expect(priceOf(undefined, { input_tokens: 100 })).toBeUndefined();
});

/** The table once more, because a slip of the pen in it would be believed: dollars for a million tokens of input, of output, read from the cache. */
const small = {
  input: { input_tokens: 1000 },
  output: { output_tokens: 1000 },
  read: { cache_read_input_tokens: 1000 },
};
test.each<[model: string, input: number, output: number, read: number, fast?: [number, number, number]]>([
  ['claude-3-haiku', 0.25, 1.25, 0.03],
  ['claude-3-5-haiku', 0.8, 4, 0.08],
  ['claude-haiku-4-5', 1, 5, 0.1],
  ['claude-haiku-5-5', 0.1, 0.5, 0.01],
  ['claude-3-5-sonnet', 3, 15, 0.3],
  ['claude-3-7-sonnet', 3, 15, 0.3],
  ['claude-sonnet-4', 3, 15, 0.3],
  ['claude-sonnet-4-5', 3, 15, 0.3],
  ['claude-sonnet-4-6', 3, 15, 0.3],
  ['claude-sonnet-5', 2, 10, 0.2],
  ['claude-sonnet-5-5', 2, 10, 0.1],
  ['claude-3-opus', 15, 75, 1.5],
  ['claude-opus-4', 15, 75, 1.5],
  ['claude-opus-4-1', 15, 75, 1.5],
  ['claude-opus-4-5', 5, 25, 0.5],
  ['claude-opus-4-6', 5, 25, 0.5, [30, 150, 3]],
  ['claude-opus-4-7', 5, 25, 0.5, [30, 150, 3]],
  ['claude-opus-4-8', 5, 25, 0.5, [10, 50, 1]],
  ['claude-opus-5', 5, 25, 0.5, [10, 50, 1]],
  ['claude-opus-5-5', 4, 20, 0.2, [8, 40, 0.4]],
  ['claude-fable-5', 10, 50, 1],
  ['claude-fable-5-1', 10, 50, 0.25],
  ['claude-fable-5-2', 8, 40, 0.2, [16, 80, 0.4]],
])('%s', (model, input, output, read, fast = [input, output, read]) => {
  const perMillion = (usage: object) => (priceOf(model, { ...usage }) ?? Number.NaN) * 1000;
  const all = Object.values(small);
  for (const [at, rate] of [input, output, read].entries()) expect(perMillion(all[at] ?? {})).toBeCloseTo(rate, 9);
  for (const [at, rate] of fast.entries()) expect(perMillion({ ...all[at], speed: 'fast' })).toBeCloseTo(rate, 9);
});

test.each([
  ['claude-sonnet-4', [6, 22.5, 0.6]],
  ['claude-sonnet-4-5', [6, 22.5, 0.6]],
  ['claude-sonnet-4-6', [6, 22.5, 0.6]],
  ['claude-opus-4-6', [10, 37.5, 1]],
])('%s before 2.1.75, with more than 200,000 tokens of prompt', (model, [input = 0, output = 0, read = 0]) => {
  const price = (tokens: Tokens) => priceOf(model, usageOf(tokens), '2.1.74');
  expect(price([200_001, 0, 0, 0])).toBeCloseTo((200_001 * input) / 1e6, 9);
  expect(price([0, 1000, 200_001, 0])).toBeCloseTo((1000 * output + 200_001 * read) / 1e6, 9);
  expect(price([200_000, 0, 0, 0])).toBeLessThan((200_000 * input) / 1e6);
});
