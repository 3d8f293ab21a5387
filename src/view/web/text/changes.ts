/** What a person changed in an input, by JSON Pointer: an untouched field keeps its original, also where it was shown cut or redacted. */

export type Edited = { changes: Record<string, unknown> } | { problem: string };

export function readEdit(shown: unknown, json: string): Edited {
  let edited: unknown;
  try {
    edited = JSON.parse(json);
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : ''}` };
  }
  const changes: Record<string, unknown> = {};
  const removed = collect(shown, edited, '', changes);
  return removed === undefined ? { changes } : { problem: `${removed} cannot be removed here; give it another value.` };
}

/** Gives the pointer of a field that is gone: JSON over HTTP has no word for that. */
function collect(
  shown: unknown,
  edited: unknown,
  pointer: string,
  changes: Record<string, unknown>,
): string | undefined {
  if (!isPlain(shown) || !isPlain(edited)) {
    if (JSON.stringify(shown) !== JSON.stringify(edited)) changes[pointer] = edited;
    return undefined;
  }
  for (const key of new Set([...Object.keys(shown), ...Object.keys(edited)])) {
    const below = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!Object.hasOwn(edited, key)) return below;
    const removed = collect(shown[key], edited[key], below, changes);
    if (removed !== undefined) return removed;
  }
  return undefined;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
