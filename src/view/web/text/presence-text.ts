/** What a session does and the best reason to believe it, in a line. */
import type { Presence } from '../../../client/index.js';
import { duration } from '../../../word/index.js';

export function presenceText({ state, since, because }: Presence, now: number): string {
  const age = since === undefined || state === 'unknown' ? '' : ` for ${duration(Math.max(0, now - since))}`;
  const [first] = because;
  return `${state}${age}${first ? ` (${first.source}: ${first.text})` : ''}`;
}
