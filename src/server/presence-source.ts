/** Who tells the server what sessions do now. It looks at no process and no file by itself. */
import type { Presence, SessionPresence } from '../client/api.js';
import type { SessionRecord } from '../store/index.js';

export interface PresenceSource {
  /** What one session does now. */
  of(session: SessionRecord): Promise<Presence>;
  /** What all sessions do that are not over, at once and whenever one of them changes. */
  watch(options: { signal: AbortSignal }): AsyncIterable<readonly SessionPresence[]>;
}
