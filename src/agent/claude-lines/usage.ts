import { defined, type Usage } from '../../event/index.js';
import { number, object } from '../field.js';

/**
 * Reads the Messages API's usage. While `final` is false the output count is only the figure of the message's
 * first moment, so it is left out.
 */
export function readUsage(value: unknown, final: boolean): Usage | undefined {
  const usage = object(value);
  if (!usage) return undefined;
  const thinking = number(object(usage.output_tokens_details)?.thinking_tokens);
  return defined({
    inputTokens: number(usage.input_tokens),
    cacheReadTokens: number(usage.cache_read_input_tokens),
    cacheWriteTokens: number(usage.cache_creation_input_tokens),
    outputTokens: final ? number(usage.output_tokens) : undefined,
    thinkingTokens: (final && thinking) || undefined,
  });
}
