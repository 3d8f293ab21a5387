/**
 * Anthropic's published rates, for transcripts, which tell tokens but seldom money. Last compared with the published prices
 * and with the costs that the program itself reported in 2026-11.
 */
import { type Json, lookUp, number, object } from '../field.js';

/** What one call of the model cost; undefined for a model that is not listed, because a guess would look like a price. */
export function priceOf(model: string | undefined, usage: Json): number | undefined {
  const input = number(usage.input_tokens) ?? 0;
  const cacheRead = number(usage.cache_read_input_tokens) ?? 0;
  const cacheWrite = number(usage.cache_creation_input_tokens) ?? 0;
  const rates = ratesOf(model, input + cacheRead + cacheWrite);
  if (!rates) return undefined;
  const [inputRate, outputRate, readRate] = rates;
  const hourly = number(object(usage.cache_creation)?.ephemeral_1h_input_tokens) ?? 0;
  const searches = number(object(usage.server_tool_use)?.web_search_requests) ?? 0;
  const millionths =
    input * inputRate +
    (number(usage.output_tokens) ?? 0) * outputRate +
    cacheRead * readRate +
    // Written for five minutes, or for an hour.
    (cacheWrite - hourly) * 1.25 * inputRate +
    hourly * 2 * inputRate +
    searches * 10_000;
  return millionths / 1e6;
}

function ratesOf(model: string | undefined, promptTokens: number): Rates | undefined {
  const name = /claude-[a-z0-9-]+/.exec(model ?? '')?.[0].replace(/-(\d{8}|latest|v\d).*$/, '');
  const long = lookUp(LONG_PROMPTS, name);
  return long && promptTokens > long.over ? long.rates : lookUp(TABLE, name);
}

/**
 * As of 2026-11, when they were compared with the published prices and with the costs that the program itself reported. US dollars
 * per million tokens: input, output, reading from the cache. Writing to it is 1.25 or 2 times the input.
 */
type Rates = readonly [number, number, number];

const TABLE: Readonly<Record<string, Rates>> = {
  'claude-3-haiku': [0.25, 1.25, 0.03],
  'claude-3-5-haiku': [0.8, 4, 0.08],
  'claude-haiku-4-5': [1, 5, 0.1],
  'claude-haiku-5-5': [0.1, 0.5, 0.01],
  'claude-3-5-sonnet': [3, 15, 0.3],
  'claude-3-7-sonnet': [3, 15, 0.3],
  'claude-sonnet-4': [3, 15, 0.3],
  'claude-sonnet-4-5': [3, 15, 0.3],
  'claude-sonnet-4-6': [3, 15, 0.3],
  'claude-sonnet-5': [2, 10, 0.2],
  'claude-sonnet-5-5': [2, 10, 0.1],
  'claude-3-opus': [15, 75, 1.5],
  'claude-opus-4': [15, 75, 1.5],
  'claude-opus-4-1': [15, 75, 1.5],
  'claude-opus-4-5': [5, 25, 0.5],
  'claude-opus-4-6': [5, 25, 0.5],
  'claude-opus-4-7': [5, 25, 0.5],
  'claude-opus-4-8': [5, 25, 0.5],
  'claude-opus-5': [5, 25, 0.5],
  'claude-opus-5-5': [4, 20, 0.2],
  'claude-fable-5': [10, 50, 1],
  'claude-fable-5-1': [10, 50, 0.25],
  'claude-fable-5-2': [8, 40, 0.2],
};

/** Some models cost more when the prompt is longer than this. */
const LONG_PROMPTS: Readonly<Record<string, { over: number; rates: Rates }>> = {
  'claude-haiku-5-5': { over: 100_000, rates: [0.5, 2.5, 0.05] },
  'claude-sonnet-4': { over: 200_000, rates: [6, 22.5, 0.6] },
  'claude-sonnet-4-5': { over: 200_000, rates: [6, 22.5, 0.6] },
};
