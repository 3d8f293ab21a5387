/** The size of a value as JSON text in UTF-8 bytes, without escapes; an own stack, because values may be nested deeply. */
import { utf8Length } from './utf8.js';

export function jsonLength(value: unknown): number {
  const open: unknown[] = [value];
  let bytes = 0;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') bytes += utf8Length(next) + 2;
    else if (typeof next !== 'object' || next === null) bytes += String(next).length;
    else if (Array.isArray(next)) {
      bytes += 2 + Math.max(0, next.length - 1);
      for (const element of next) open.push(element);
    } else {
      const keys = Object.keys(next);
      bytes += 2 + Math.max(0, keys.length - 1);
      for (const key of keys) {
        bytes += utf8Length(key) + 3;
        open.push(next[key as keyof typeof next]);
      }
    }
  }
  return bytes;
}
