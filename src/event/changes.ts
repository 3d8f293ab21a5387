/** Edits of a value by JSON Pointer: what is not named keeps its original, also where a reader saw it cut or redacted. */
import type { Changes } from './answer.js';
import { refuseUnknown } from './option.js';
import { pointerTo, stepsOf } from './pointer.js';

/** A changed copy. A pointer that leads nowhere is an error of the caller: it gives back undefined. */
export function applyChanges(original: unknown, changes: Changes): { value: unknown } | undefined {
  refuseUnknown('changes', changes, { set: true, remove: true });
  const { set = {}, remove = [] } = changes;
  let changed: { value: unknown } | undefined = { value: original };
  for (const [pointer, value] of Object.entries(set)) changed = changed && replace(changed.value, pointer, { value });
  for (const pointer of remove) changed = changed && replace(changed.value, pointer, undefined);
  return changed;
}

/** The changes that lead from what a person was shown to what the person made of it; undefined when it is the same. */
export function changesBetween(shown: unknown, edited: unknown): Changes | undefined {
  const set: [pointer: string, value: unknown][] = [];
  const remove: string[] = [];
  compare(shown, edited, '');
  if (set.length === 0 && remove.length === 0) return undefined;
  // From the end, so that no removal moves what another one names.
  return {
    ...(set.length > 0 && { set: Object.fromEntries(set) }),
    ...(remove.length > 0 && { remove: remove.reverse() }),
  };

  function compare(before: unknown, after: unknown, pointer: string): void {
    if (isParted(before) && isParted(after) && Array.isArray(before) === Array.isArray(after)) {
      const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
      for (const key of was.keys()) if (!is.has(key)) remove.push(pointer + pointerTo(key));
      for (const [key, value] of is) {
        if (was.has(key)) compare(was.get(key), value, pointer + pointerTo(key));
        else set.push([pointer + pointerTo(key), value]);
      }
    } else if (JSON.stringify(before) !== JSON.stringify(after)) set.push([pointer, after]);
  }
}

/** Without a `replacement` it is removed. */
function replace(
  value: unknown,
  pointer: string,
  replacement: { value: unknown } | undefined,
): { value: unknown } | undefined {
  const steps = stepsOf(pointer);
  return steps && replaceAt(value, steps, replacement);
}

function replaceAt(
  value: unknown,
  [step, ...rest]: readonly string[],
  replacement: { value: unknown } | undefined,
): { value: unknown } | undefined {
  if (step === undefined) return replacement;
  if (!isParted(value)) return undefined;
  const isLast = rest.length === 0;
  const isRemoval = isLast && replacement === undefined;
  if (Array.isArray(value)) {
    const index = step === '-' ? value.length : /^\d+$/.test(step) ? Number(step) : value.length + 1;
    if (index > value.length || (index === value.length && (isRemoval || !isLast))) return undefined;
    if (isRemoval) return { value: value.toSpliced(index, 1) };
    const part = replaceAt(value[index], rest, replacement);
    return part && { value: value.toSpliced(index, 1, part.value) };
  }
  // Never by assignment: a key such as `__proto__` must stay a key.
  const entries = new Map<string, unknown>(Object.entries(value));
  if (!entries.has(step) && (isRemoval || !isLast)) return undefined;
  if (isRemoval) entries.delete(step);
  else {
    const part = replaceAt(entries.get(step), rest, replacement);
    if (!part) return undefined;
    entries.set(step, part.value);
  }
  return { value: Object.fromEntries(entries) };
}

function isParted(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
