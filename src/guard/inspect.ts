/** The one look at every event: false means that it is small and holds no secret, so that it can pass as it is. */
import type { Draft } from '../event/index.js';
import { isSecretProperty, KEPT, type Limits, MAX_DEPTH } from './bound.js';
import { LONG_WORD } from './tokens.js';

/** What a value may take beside its text. */
const NODE_UNITS = 4;

export function createInspector(limits: Limits, mayChange: ((text: string) => boolean) | undefined) {
  // A UTF-16 unit takes at most three bytes, so what is short enough in units needs no counting.
  const maxField = limits.maxFieldBytes / 3;
  const maxEvent = limits.maxEventBytes / 4;
  let left = 0;

  return function needsRewrite(draft: Draft): boolean {
    left = maxEvent;
    for (const key in draft) {
      const value = draft[key as keyof Draft];
      // What is kept is text, so that numbers need not be looked up.
      if (typeof value === 'number' || !KEPT.has(key)) if (isOdd(value, 0)) return true;
    }
    return false;
  };

  function isOdd(value: unknown, depth: number): boolean {
    left -= NODE_UNITS;
    if (typeof value === 'string') {
      left -= value.length;
      return value.length > maxField || left < 0 || value.includes('\0') || (mayChange?.(value) ?? false);
    }
    if (typeof value !== 'object' || value === null) return left < 0;
    if (depth >= MAX_DEPTH) return true;
    return Array.isArray(value) ? isOddList(value, depth) : isOddObject(value, depth);
  }

  function isOddList(list: readonly unknown[], depth: number): boolean {
    for (const element of list) if (isOdd(element, depth + 1)) return true;
    return false;
  }

  function isOddObject(object: object, depth: number): boolean {
    for (const key in object) {
      const value: unknown = object[key as keyof typeof object];
      left -= key.length;
      if (key.includes('\0')) return true;
      if (mayChange && (isSecretProperty(key, value) || (key.length >= LONG_WORD && mayChange(key)))) return true;
      if (isOdd(value, depth + 1)) return true;
    }
    return false;
  }
}
