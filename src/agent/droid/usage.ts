/** Tokens as Droid counts them, under other names in each of its two streams; money it counts in credits of its own. */
import type { Payload, Usage } from '../../event/index.js';
import { members, number } from '../field.js';

export function usageOf(value: unknown): Usage | undefined {
  const usage = members(value);
  const inputTokens = number(usage.input_tokens) ?? number(usage.inputTokens);
  const outputTokens = number(usage.output_tokens) ?? number(usage.outputTokens);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: number(usage.cache_read_input_tokens) ?? number(usage.cacheReadTokens),
    cacheWriteTokens: number(usage.cache_creation_input_tokens) ?? number(usage.cacheCreationTokens),
    thinkingTokens: number(usage.thinkingTokens),
  };
}

export function creditsOf(value: unknown): Payload | undefined {
  const { factory_credits, factoryCredits } = members(value);
  const credits = number(factory_credits) ?? number(factoryCredits) ?? 0;
  return credits > 0 ? { type: 'status', code: 'credits', text: `${credits} Factory credits` } : undefined;
}
