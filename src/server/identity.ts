/** The server's own key: by it a page knows that it is glassbox who answers, also after a start. */
import path from 'node:path';
import { createKey, readKey, type SigningKey, writeKey } from '../proof/index.js';
import { readPrivately, writePrivately } from './private-file.js';

/** Kept in the folder; without one it lives as long as the server. */
export async function openIdentity(folder?: string): Promise<SigningKey> {
  if (folder === undefined) return createKey();
  const file = path.join(folder, 'identity');
  const kept = readPrivately(file);
  // What was certified with a key that cannot be read any more is void; a new one takes its place.
  const read = kept === undefined ? undefined : await readKey(kept).catch(() => undefined);
  if (read) return read;
  const made = await createKey({ isKept: true });
  writePrivately(file, await writeKey(made));
  return made;
}
