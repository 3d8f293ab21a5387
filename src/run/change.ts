/** Changes to a value by JSON Pointer (RFC 6901): what is not named keeps its original, also where a reader saw it cut or redacted. */

/** `{ '/command': 'ls' }`; the value `undefined` removes. The pointer `''` is the whole. */
export type Changes = Readonly<Record<string, unknown>>;

/** A changed copy. A pointer that leads nowhere is an error of the caller: it gives back undefined. */
export function applyChanges(original: unknown, changes: Changes): { value: unknown } | undefined {
  let value = original;
  for (const [pointer, replacement] of Object.entries(changes)) {
    const keys = keysOf(pointer);
    if (!keys) return undefined;
    const changed = replaceAt(value, keys, replacement);
    if (!changed) return undefined;
    value = changed.value;
  }
  return { value };
}

/** The changes that lead from what a person was shown to what the person made of it. */
export function changesBetween(shown: unknown, edited: unknown, pointer = ''): Record<string, unknown> {
  if (isPlain(shown) && isPlain(edited)) {
    const changes: Record<string, unknown> = {};
    for (const key of new Set([...Object.keys(shown), ...Object.keys(edited)])) {
      Object.assign(changes, changesBetween(shown[key], edited[key], `${pointer}/${escapeKey(key)}`));
    }
    return changes;
  }
  return JSON.stringify(shown) === JSON.stringify(edited) ? {} : { [pointer]: edited };
}

function replaceAt(value: unknown, keys: readonly string[], replacement: unknown): { value: unknown } | undefined {
  const [key, ...rest] = keys;
  if (key === undefined) return { value: replacement };
  if (Array.isArray(value)) {
    const index = key === '-' ? value.length : /^\d+$/.test(key) ? Number(key) : value.length + 1;
    if (index > value.length) return undefined;
    const changed = replaceAt(value[index], rest, replacement);
    return changed && { value: value.toSpliced(index, 1, ...(changed.value === undefined ? [] : [changed.value])) };
  }
  if (!isPlain(value)) return undefined;
  const changed = replaceAt(Object.hasOwn(value, key) ? value[key] : undefined, rest, replacement);
  if (!changed) return undefined;
  // Never by assignment: a key such as `__proto__` must stay a key.
  const entries = new Map(Object.entries(value));
  if (changed.value === undefined) entries.delete(key);
  else entries.set(key, changed.value);
  return { value: Object.fromEntries(entries) };
}

function keysOf(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
