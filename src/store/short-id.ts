/** Short ids of sessions, for people to type. */
import { createHash } from 'node:crypto';

const SHORTEST = 6;

/** No vowels, so that no words arise; no 0, 1, l, so that nothing is mistaken. */
const ALPHABET = '23456789bcdfghjkmnpqrstvwxz';

/** Made from the id of the session's first run, so that the same history kept elsewhere has the same ids; longer where others are alike. */
export function shortId(runId: string, isTaken: (id: string) => boolean): string {
  const digest = createHash('sha256').update(runId).digest();
  const letters = [...digest].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  for (let length = SHORTEST; ; length += 1) {
    const id = letters.slice(0, length);
    if (!isTaken(id)) return id;
  }
}
