/** Collects the drafts of one step and puts the agent's context on each. */
import type { Context, Draft, Payload, Source } from '../event/index.js';

export interface Scribe {
  /** The agent's session id, once known. */
  sessionId: string | undefined;
  /** The turn that new events belong to. */
  turn: number;
  /** `synthetic` while glassbox writes what it concludes by itself. */
  source: 'synthetic' | undefined;
  write(payload: Payload, where?: Where): void;
  /** Hands over what was written since the last call. */
  take(): Draft[];
}

/** Context that differs from the scribe's own; a message knows its speaker and turn, so it can be given as it is. */
export interface Where {
  readonly parent?: string | undefined;
  readonly turn?: number;
  readonly source?: Source;
}

export function createScribe(): Scribe {
  let drafts: Draft[] = [];
  const scribe: Scribe = {
    sessionId: undefined,
    turn: 0,
    source: undefined,
    write(payload, where) {
      // The payload is always a fresh literal, so it becomes the draft itself: no copy on the hot path.
      const draft = payload as Payload & Context & { source?: Source };
      if (scribe.sessionId !== undefined) draft.sessionId = scribe.sessionId;
      if (where?.parent !== undefined) draft.parent = where.parent;
      draft.turn = where?.turn ?? scribe.turn;
      const source = where?.source ?? scribe.source;
      if (source !== undefined) draft.source = source;
      drafts.push(draft);
    },
    take() {
      const taken = drafts;
      drafts = [];
      return taken;
    },
  };
  return scribe;
}
