/** Tokens as Droid counts them, under other names in each of its two streams; money it counts in credits of its own. */
import { defined, type Usage } from '../../event/index.js';
import type { Note } from '../chronicle/chronicle.js';
import { members, number } from '../field.js';

export function usageOf(value: unknown): Usage | undefined {
  const usage = members(value);
  const inputTokens = number(usage.input_tokens) ?? number(usage.inputTokens);
  const outputTokens = number(usage.output_tokens) ?? number(usage.outputTokens);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return defined({
    inputTokens,
    outputTokens,
    cacheReadTokens: number(usage.cache_read_input_tokens) ?? number(usage.cacheReadTokens),
    cacheWriteTokens: number(usage.cache_creation_input_tokens) ?? number(usage.cacheCreationTokens),
    thinkingTokens: number(usage.thinkingTokens),
  });
}

export function creditsOf(...usages: unknown[]): Note | undefined {
  const credits = usages.reduce<number>((sum, usage) => {
    const { factory_credits, factoryCredits } = members(usage);
    return sum + (number(factory_credits) ?? number(factoryCredits) ?? 0);
  }, 0);
  return credits > 0 ? { type: 'status', code: 'credits', text: `${credits} Factory credits` } : undefined;
}
