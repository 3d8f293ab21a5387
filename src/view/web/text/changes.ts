/** What a person changed in an input, by JSON Pointer: an untouched field keeps its original, also where it was shown cut or redacted. */

export interface InputChanges {
  changes: Record<string, unknown>;
  /** Fields that are gone. */
  removals: string[];
}

export function readEdit(shown: unknown, json: string): InputChanges | { problem: string } {
  let edited: unknown;
  try {
    edited = JSON.parse(json);
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : ''}` };
  }
  const found: InputChanges = { changes: {}, removals: [] };
  collect(shown, edited, '', found);
  return found;
}

function collect(shown: unknown, edited: unknown, pointer: string, found: InputChanges): void {
  if (!isPlain(shown) || !isPlain(edited)) {
    if (JSON.stringify(shown) !== JSON.stringify(edited)) found.changes[pointer] = edited;
    return;
  }
  for (const key of new Set([...Object.keys(shown), ...Object.keys(edited)])) {
    const below = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (Object.hasOwn(edited, key)) collect(shown[key], edited[key], below, found);
    else found.removals.push(below);
  }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
