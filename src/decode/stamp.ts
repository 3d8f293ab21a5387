/** Turns drafts into events: numbers them without holes and says when, in which run and by which agent. */
import type { AgentEvent, Draft, Stamp } from '../event/index.js';

export interface StampOptions {
  /** Names the run in every event; give one that is unique before you store events. */
  runId?: string | undefined;
  /** Milliseconds since the epoch; the system's clock unless told. */
  now?: (() => number) | undefined;
}

export interface Stamper {
  /** Reads the clock. Events that are stamped until the next call came at this moment. */
  setTime(): void;
  /** The draft becomes the event: drafts are fresh and belong to nobody else, so none is copied. */
  stamp(draft: Draft): AgentEvent;
}

export function createStamper(agent: string, { runId = 'run', now = Date.now }: StampOptions): Stamper {
  let seq = 0;
  let at = 0;
  return {
    setTime() {
      at = now();
    },
    stamp(draft) {
      const event = draft as Draft & Stamp;
      event.seq = ++seq;
      event.at = at;
      event.runId = runId;
      event.agent = agent;
      event.source = draft.source ?? 'stream';
      return event;
    },
  };
}
