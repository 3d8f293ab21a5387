/**
 * What Claude Code charges for one call of the model, for transcripts, which tell tokens but seldom money. Every row and rule was
 * compared with what the program itself reported: 2.1.325 in 2026-11, and the versions that had other rules.
 */
import { type Json, lookUp, number, object, string } from '../field.js';

/** Undefined for a model that is not listed, because a guess would look like a price. `version`: of the program, the newest without it. */
export function priceOf(model: string | undefined, usage: Json, version?: string): number | undefined {
  const input = number(usage.input_tokens) ?? 0;
  const cacheRead = number(usage.cache_read_input_tokens) ?? 0;
  const cacheWrite = number(usage.cache_creation_input_tokens) ?? 0;
  const rates = ratesOf(model, { prompt: input + cacheRead + cacheWrite, isFast: usage.speed === 'fast', version });
  if (!rates) return undefined;
  const [inputRate, outputRate, readRate] = rates;
  const hourly = Math.min(cacheWrite, number(object(usage.cache_creation)?.ephemeral_1h_input_tokens) ?? 0);
  const searches = number(object(usage.server_tool_use)?.web_search_requests) ?? 0;
  const millionths =
    input * inputRate +
    (number(usage.output_tokens) ?? 0) * outputRate +
    cacheRead * readRate +
    // Written for five minutes, or for an hour.
    (cacheWrite - hourly) * 1.25 * inputRate +
    hourly * 2 * inputRate;
  const surcharge = string(usage.inference_geo) === 'us' ? 1.1 : 1;
  return (millionths * surcharge) / 1e6 + searches * 0.01;
}

interface Circumstance {
  /** Tokens of the whole prompt, cached ones included. */
  prompt: number;
  isFast: boolean;
  version: string | undefined;
}

function ratesOf(model: string | undefined, { prompt, isFast, version }: Circumstance): Rates | undefined {
  const { usual, fast, long } = ratesNamed(model ?? '');
  const isLong = long && prompt > long.over && (long.before === undefined || isBefore(version, long.before));
  return (isFast ? fast : undefined) ?? (isLong ? long.rates : usual);
}

interface ModelRates {
  usual: Rates | undefined;
  fast: Rates | undefined;
  long: LongPrompt | undefined;
}

/** Remembered, because they are asked for each call and there are few. */
const remembered = new Map<string, ModelRates>();

function ratesNamed(model: string): ModelRates {
  const known = remembered.get(model);
  if (known) return known;
  const name = /claude-[a-z0-9-]+/.exec(model)?.[0].replace(/-(\d{8}|latest|v\d).*$/s, '');
  const rates = { usual: lookUp(TABLE, name), fast: lookUp(FAST, name), long: lookUp(LONG_PROMPTS, name) };
  if (remembered.size < MOST_NAMES) remembered.set(model, rates);
  return rates;
}

const MOST_NAMES = 100;

function isBefore(version: string | undefined, limit: string): boolean {
  return version !== undefined && version.localeCompare(limit, 'en', { numeric: true }) < 0;
}

/** US dollars per million tokens: input, output, reading from the cache. Writing to it is 1.25 or 2 times the input. */
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

/** What answers faster costs more. */
const FAST: Readonly<Record<string, Rates>> = {
  'claude-opus-4-6': [30, 150, 3],
  'claude-opus-4-7': [30, 150, 3],
  'claude-opus-4-8': [10, 50, 1],
  'claude-opus-5': [10, 50, 1],
  'claude-opus-5-5': [8, 40, 0.4],
  'claude-fable-5-2': [16, 80, 0.4],
};

interface LongPrompt {
  over: number;
  rates: Rates;
  /** The program's version that stopped asking for it. */
  before?: string;
}

/** A prompt that is longer than this makes the whole call dearer. */
const LONG_PROMPTS: Readonly<Record<string, LongPrompt>> = {
  'claude-haiku-5-5': { over: 100_000, rates: [0.5, 2.5, 0.05] },
  'claude-sonnet-4': { over: 200_000, rates: [6, 22.5, 0.6], before: '2.1.75' },
  'claude-sonnet-4-5': { over: 200_000, rates: [6, 22.5, 0.6], before: '2.1.75' },
  'claude-sonnet-4-6': { over: 200_000, rates: [6, 22.5, 0.6], before: '2.1.75' },
  'claude-opus-4-6': { over: 200_000, rates: [10, 37.5, 1], before: '2.1.75' },
};
