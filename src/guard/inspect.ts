/** The one look at every event: false means that it is small and holds no secret, so that it can pass as it is. */
import type { Draft } from '../event/index.js';
import { isSecretProperty, type Limits, MAX_DEPTH } from './bound.js';

export function createInspector(limits: Limits, mayChange: ((text: string) => boolean) | undefined) {
  // A UTF-16 unit takes at most three bytes, so what is short enough in units needs no counting.
  const maxField = limits.maxFieldBytes / 3;
  const maxEvent = limits.maxEventBytes / 4;
  let left = 0;

  return function needsRewrite(draft: Draft): boolean {
    left = maxEvent;
    return isOdd(draft, -1);
  };

  function isOdd(value: unknown, depth: number): boolean {
    if (typeof value === 'string') {
      left -= value.length;
      return value.length > maxField || left < 0 || (mayChange?.(value) ?? false);
    }
    left -= 4;
    if (typeof value !== 'object' || value === null) return left < 0;
    if (depth >= MAX_DEPTH || left < 0) return true;
    if (Array.isArray(value)) return value.some((element) => isOdd(element, depth + 1));
    for (const key in value) {
      const property: unknown = (value as Record<string, unknown>)[key];
      left -= key.length;
      if (depth >= 0 && mayChange && (isSecretProperty(key, property) || (key.length >= 8 && mayChange(key))))
        return true;
      if (isOdd(property, depth + 1)) return true;
    }
    return false;
  }
}
