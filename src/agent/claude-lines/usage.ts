import type { Usage } from '../../event/index.js';
import { number, object } from '../field.js';

/**
 * Reads the Messages API's usage. While `final` is false the output count is only the figure of the message's
 * first moment, so it is left out.
 */
export function readUsage(value: unknown, final: boolean): Usage | undefined {
  const usage = object(value);
  if (!usage) return undefined;
  const read: Usage = {
    inputTokens: number(usage.input_tokens),
    cacheReadTokens: number(usage.cache_read_input_tokens),
    cacheWriteTokens: number(usage.cache_creation_input_tokens),
  };
  if (final) {
    read.outputTokens = number(usage.output_tokens);
    const thinking = number(object(usage.output_tokens_details)?.thinking_tokens);
    if (thinking) read.thinkingTokens = thinking;
  }
  return read;
}
