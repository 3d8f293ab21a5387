import type { Agent } from '../agent/index.js';
import type { AgentEvent } from '../event/index.js';
import { createDecoder, type DecoderOptions } from './decoder.js';

/** For whoever gets bytes in one place and wants events in another. */
export interface StreamParser {
  /** The events, for one reader; what comes before it reads is kept. Letting go of it drops the rest. */
  events(): AsyncIterableIterator<AgentEvent>;
  ingest(output: Uint8Array | string): void;
  /** The output is over: `events` ends after those that close what is open. Safe to call twice. */
  close(): void;
}

/** Bytes in at one place, events out at another. */
export function createStreamParser(agent: Agent | string, options: DecoderOptions = {}): StreamParser {
  const decoder = createDecoder(agent, options);
  let waiting: AgentEvent[] = [];
  let closed = false;
  let wake = () => {};
  const events = readEvents();

  return {
    events: () => events,
    ingest(output) {
      if (!closed) deliver(decoder.push(output));
    },
    close() {
      if (closed) return;
      closed = true;
      deliver(decoder.end());
    },
  };

  function deliver(more: AgentEvent[]): void {
    for (const event of more) waiting.push(event);
    wake();
  }

  async function* readEvents(): AsyncGenerator<AgentEvent, void, undefined> {
    try {
      for (;;) {
        const ready = waiting;
        waiting = [];
        yield* ready;
        if (waiting.length > 0) continue;
        if (closed) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      closed = true;
      waiting = [];
    }
  }
}
