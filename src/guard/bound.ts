/**
 * Rewrites an event so that its texts are redacted and its size is bounded; what was cut is listed in `cuts`.
 *
 * Linear in the size of the event, whatever its shape. Copies on write: what does not change keeps its identity.
 */
import type { Cut, Draft } from '../event/index.js';
import { isReference, isSecretName } from './credential.js';
import { jsonLength } from './json-length.js';
import { LONG_WORD } from './rules.js';
import { cutUtf8, utf8Length } from './utf8.js';

export interface Limits {
  /** Of one text, in UTF-8 bytes. */
  readonly maxFieldBytes: number;
  /** Of all texts, keys and other values of an event together, not counting what JSON escapes add. */
  readonly maxEventBytes: number;
}

/** Deeper values are left out, so that nobody downstream overflows the stack. */
export const MAX_DEPTH = 64;

/** Names of things that belong together; never altered. */
export const KEPT: ReadonlySet<string> = new Set(
  'type id toolId messageId sessionId parent taskId previousId newId source'.split(' '),
);

/** Values of any shape; they come last, so that the fields with a type get the room first. */
const FREE = new Set(['input', 'changedInput', 'structuredOutput', 'suggestions', 'schema']);

/** Kept for numbers and short texts when all else is used up, so that objects with a type stay whole. */
const RESERVE_BYTES = 65_536;
const SHORT_TEXT = 64;
/** What a value costs beside its text. */
const NODE_BYTES = 8;
const MARK_BYTES = 64;

export function rewrite(draft: Draft, limits: Limits, redact: ((text: string) => string) | undefined): Draft {
  const reserve = Math.min(RESERVE_BYTES, limits.maxEventBytes / 4);
  const cuts: Cut[] = [];
  const changes: [string, unknown][] = [];
  let left = limits.maxEventBytes - reserve;
  /** Where we are: a field of the event, then indexes and names. */
  let trail: (string | number)[] = [];
  /** Whether the value of the current field lost elements, properties or depth. */
  let lossy = false;

  const fields = Object.entries(draft).filter(([key]) => !KEPT.has(key));
  for (const [key, value] of fields.sort(([a], [b]) => Number(FREE.has(a)) - Number(FREE.has(b)))) {
    trail = [key];
    lossy = false;
    const next = visit(value);
    if (lossy) mark(jsonLength(value));
    if (next !== value) changes.push([key, next]);
  }
  if (changes.length === 0) return draft;
  return { ...draft, ...Object.fromEntries(changes), ...(cuts.length > 0 && { cuts }) };

  function visit(value: unknown): unknown {
    left -= NODE_BYTES;
    if (typeof value === 'string') return visitText(value);
    if (typeof value !== 'object' || value === null) return value;
    if (trail.length <= MAX_DEPTH) return Array.isArray(value) ? visitList(value) : visitObject(value);
    lossy = true;
    return null;
  }

  function visitText(value: string): string {
    const text = redact?.(value) ?? value;
    const room = text.length <= SHORT_TEXT ? SHORT_TEXT * 3 : Math.max(0, Math.min(limits.maxFieldBytes, left));
    const bytes = utf8Length(text);
    left -= Math.min(bytes, room);
    if (bytes <= room) return text;
    mark(utf8Length(value));
    return cutUtf8(text, room);
  }

  function visitList(list: readonly unknown[]): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (const [index, value] of list.entries()) {
      if (left <= 0) {
        lossy = true;
        return (copy ?? list).slice(0, index);
      }
      const next = visitAt(index, value);
      if (next === value) continue;
      copy ??= [...list];
      copy[index] = next;
    }
    return copy ?? list;
  }

  function visitObject(object: object): object {
    const entries: [string, unknown][] = Object.entries(object);
    let copy: [string, unknown][] | undefined;
    for (const [index, [key, value]] of entries.entries()) {
      left -= utf8Length(key) + NODE_BYTES;
      if (left <= -reserve) {
        lossy = true;
        return Object.fromEntries((copy ?? entries).slice(0, index));
      }
      const name = key.length < LONG_WORD ? key : (redact?.(key) ?? key);
      const next = visitAt(name, redact ? redactProperty(key, value) : value);
      if (next === value && name === key) continue;
      copy ??= [...entries];
      copy[index] = [name, next];
    }
    return copy ? Object.fromEntries(copy) : object;
  }

  function visitAt(step: string | number, value: unknown): unknown {
    trail.push(step);
    const next = visit(value);
    trail.pop();
    return next;
  }

  function mark(bytes: number): void {
    const path = pointerOf(trail);
    cuts.push({ path, bytes });
    left -= path.length + MARK_BYTES;
  }
}

/** Whether the name of this property alone makes its value a secret. */
export function isSecretProperty(name: string, value: unknown): value is string {
  return typeof value === 'string' && value !== '' && isSecretName(name) && !isReference(value);
}

function redactProperty(name: string, value: unknown): unknown {
  return isSecretProperty(name, value) ? '[redacted:credential]' : value;
}

function pointerOf(trail: readonly (string | number)[]): string {
  return trail.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
