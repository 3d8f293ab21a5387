import { defined, type Usage } from '../../event/index.js';
import { number, object } from '../field.js';

/** Qwen counts cached tokens among the input, and prints zeros on every piece of a message but the last. */
export function readUsage(value: unknown, _final: boolean): Usage | undefined {
  const usage = object(value);
  const input = number(usage?.input_tokens);
  const output = number(usage?.output_tokens);
  if (!usage || (!input && !output)) return undefined;
  const cached = number(usage.cache_read_input_tokens);
  return defined({
    inputTokens: input === undefined ? undefined : Math.max(0, input - (cached ?? 0)),
    cacheReadTokens: cached,
    outputTokens: output,
  });
}
