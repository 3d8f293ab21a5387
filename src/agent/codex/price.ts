/**
 * OpenAI's published rates for the models Codex runs, because Codex reports tokens and never money. Last compared with the
 * published prices in 2026-11; a model that is not listed has no cost rather than a guessed one.
 */
import { lookUp } from '../field.js';
import type { Rates } from '../price.js';

export function ratesOf(model: string | undefined): Rates | undefined {
  const row = lookUp(TABLE, model?.replace(/-\d{4}-\d{2}-\d{2}$/, ''));
  // A cache write is billed as ordinary input.
  return row && { input: row[0], cacheRead: row[1], cacheWrite: row[0], output: row[2] };
}

/** Input, cached input, output: US dollars per million tokens. */
const TABLE: Readonly<Record<string, readonly [number, number, number]>> = {
  'gpt-5': [1.25, 0.125, 10],
  'gpt-5-codex': [1.25, 0.125, 10],
  'gpt-5-mini': [0.25, 0.025, 2],
  'gpt-5.1': [1.25, 0.125, 10],
  'gpt-5.1-codex': [1.25, 0.125, 10],
  'gpt-5.1-codex-max': [1.25, 0.125, 10],
  'gpt-5.1-codex-mini': [0.25, 0.025, 2],
  'gpt-5.2': [1.75, 0.175, 14],
  'gpt-5.2-codex': [1.75, 0.175, 14],
  'gpt-5.3-codex': [1.75, 0.175, 14],
  'gpt-5.4': [2.5, 0.25, 15],
  'gpt-5.4-mini': [0.75, 0.075, 4.5],
  'gpt-5.5': [5, 0.5, 30],
};
