/** JSON Pointer (RFC 6901): the way from a value to a part of it. */

/** The steps of a pointer; undefined when it is none. The pointer `''` is the whole. */
export function stepsOf(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function pointerTo(...steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** What stands there; undefined when nothing does. */
export function valueAt(value: unknown, pointer: string): unknown {
  const steps = stepsOf(pointer);
  if (!steps) return undefined;
  let found = value;
  for (const step of steps) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = new Map<string, unknown>(Object.entries(found)).get(step);
  }
  return found;
}
