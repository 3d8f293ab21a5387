import { isObject, type Json, string } from '../field.js';
import { createRecent } from '../recent.js';
import type { Scribe } from '../scribe.js';
import type { SessionId } from './session-id.js';

export type LineReaders = Readonly<Record<string, (line: Json, bytes: number) => void>>;

/**
 * Hands each value to the reader of its `type`; what has none passes as unknown. A list is read item by item, and an
 * assistant line that comes again says nothing twice.
 */
export function createDispatch(scribe: Scribe, session: SessionId, readers: LineReaders) {
  const spoken = createRecent(512);

  return function read(value: unknown, bytes: number): void {
    // `--output-format json` with all messages prints the whole stream as one list; no list is in a list.
    if (Array.isArray(value)) for (const item of value) readLine(item, bytes);
    else readLine(value, bytes);
  };

  function readLine(value: unknown, bytes: number): void {
    const type = isObject(value) ? string(value.type) : undefined;
    const reader = type !== undefined && Object.hasOwn(readers, type) ? readers[type] : undefined;
    if (!isObject(value) || !reader) {
      const wireSubtype = isObject(value) ? string(value.subtype) : undefined;
      scribe.write({ type: 'unknown', wireType: type ?? typeof value, wireSubtype, bytes });
      return;
    }
    session.note(value);
    const uuid = type === 'assistant' ? string(value.uuid) : undefined;
    if (uuid !== undefined) {
      if (spoken.has(uuid)) return;
      spoken.add(uuid);
    }
    reader(value, bytes);
  }
}
