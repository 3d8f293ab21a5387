/**
 * Rewrites an event so that its texts are redacted and its size is bounded; what was cut is listed in `cuts`.
 *
 * Linear in the size of the event, whatever its shape. Copies on write: what does not change keeps its identity.
 */
import { type Cut, type Draft, pointerTo } from '../event/index.js';
import { isRandom, isReference } from './credential.js';
import { ID_FIELDS } from './identity.js';
import { jsonLength } from './json-length.js';
import { endsWithName, isSecretName, mayEndName } from './name.js';
import { LONG_WORD } from './tokens.js';
import { cutUtf8, utf8Length, withoutNul } from './utf8.js';

export interface Limits {
  /** Of one text, in UTF-8 bytes. */
  readonly maxFieldBytes: number;
  /** Of all texts, keys and other values of an event together, not counting what JSON escapes add. */
  readonly maxEventBytes: number;
}

/** Deeper values are left out, so that nobody downstream overflows the stack. */
export const MAX_DEPTH = 64;

/** What the guard has looked at already, or glassbox itself says. */
export const KEPT: ReadonlySet<string> = new Set(['type', 'source', ...ID_FIELDS]);

/** Values of any shape; they come last, so that the fields with a type get the room first. */
const FREE = new Set(['input', 'changes', 'answers', 'structuredOutput', 'answerSchema', 'schema']);

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
    const clean = withoutNul(value);
    const text = redact?.(clean) ?? clean;
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
    const keys = Object.keys(object);
    let kept = keys.length;
    let copy: Map<string, unknown> | undefined;
    for (const [index, key] of keys.entries()) {
      left -= utf8Length(key) + NODE_BYTES;
      if (left <= -reserve) {
        lossy = true;
        kept = index;
        break;
      }
      const value: unknown = object[key as keyof typeof object];
      const clean = withoutNul(key);
      const name = clean.length < LONG_WORD ? clean : (redact?.(clean) ?? clean);
      const next = visitAt(name, redact ? redactProperty(key, value) : value);
      if (next === value && name === key) copy?.set(key, value);
      else {
        copy ??= beginning(object, keys, index);
        copy.set(name, next);
      }
    }
    if (kept < keys.length) copy ??= beginning(object, keys, kept);
    return copy ? Object.fromEntries(copy) : object;
  }

  function visitAt(step: string | number, value: unknown): unknown {
    trail.push(step);
    const next = visit(value);
    trail.pop();
    return next;
  }

  function mark(bytes: number): void {
    const path = pointerTo(...trail);
    cuts.push({ path, bytes });
    left -= path.length + MARK_BYTES;
  }
}

/** The first properties as they are. */
function beginning(object: object, keys: readonly string[], count: number): Map<string, unknown> {
  return new Map(keys.slice(0, count).map((key) => [key, object[key as keyof typeof object]]));
}

/** Whether the name of this property alone makes its value a secret. */
export function isSecretProperty(name: string, value: unknown): value is string {
  if (typeof value !== 'string' || value === '') return false;
  // The change of a field is named by the way to it.
  const field = name.startsWith('/') ? name.slice(name.lastIndexOf('/') + 1) : name;
  // Most names are none of these, and this tells at once.
  if (!mayEndName(field, field.length)) return false;
  if (isSecretName(field)) return !isReference(value);
  return endsWithName('key', field) && isRandom(value);
}

function redactProperty(name: string, value: unknown): unknown {
  return isSecretProperty(name, value) ? '[redacted:credential]' : value;
}
