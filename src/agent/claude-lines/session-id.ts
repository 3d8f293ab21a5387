/** Follows the agent's session id: the first one is taken, another one is a change with its reason. */
import type { CommandRequest } from '../command.js';
import { type Json, string } from '../field.js';
import type { Scribe } from '../scribe.js';

export interface SessionId {
  note(line: Json): void;
  /** The next new id comes from a cleared conversation. */
  clear(): void;
}

export function createSessionId(scribe: Scribe, request: Partial<CommandRequest>): SessionId {
  const resumed = request.resume === 'latest' ? undefined : request.resume;
  const asked = request.fork ? 'fork' : request.resume === undefined ? 'unknown' : 'resume';
  let reason: 'resume' | 'fork' | 'clear' | 'unknown' = asked;

  return {
    note(line) {
      const newId = string(line.session_id) ?? string(line.sessionId);
      if (newId === undefined || newId === scribe.sessionId) return;
      const previousId = scribe.sessionId ?? resumed;
      scribe.sessionId = newId;
      if (previousId === undefined || previousId === newId) return;
      scribe.write({ type: 'session-change', previousId, newId, reason });
      reason = asked;
    },
    clear() {
      reason = 'clear';
    },
  };
}
