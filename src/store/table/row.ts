/** Values of a row as the contract has them: absent instead of null. */
import { defined, type Usage } from '../../event/index.js';

export type Value = null | number | string;
export type Row = Record<string, Value>;

export function text(value: Value | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

export function number(value: Value | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

export function usageOf(row: Row): Usage {
  return defined({
    inputTokens: number(row.input),
    outputTokens: number(row.output),
    cacheReadTokens: number(row.cache_read),
    cacheWriteTokens: number(row.cache_write),
    thinkingTokens: number(row.thinking),
    lacks: row.lacks === 'sub-agents' ? row.lacks : undefined,
  });
}

/** The columns of `usageOf`, in the order of the tables. */
export function usageValues(usage: Usage): (number | null)[] {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, thinkingTokens } = usage;
  return [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, thinkingTokens].map((count) => count ?? null);
}

/** Undefined when the text is no JSON. */
export function parsed<Value>(text: string): Value | undefined {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}
