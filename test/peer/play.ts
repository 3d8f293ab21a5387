/** Runs a real agent to its end while answering what it asks, and keeps all events. */
import type { AgentEvent, Completion, EventOf, EventType } from '../../src/event/index.js';
import { type RunHandle, type RunRequest, run } from '../../src/run/index.js';

export interface Play {
  handle: RunHandle;
  events: AgentEvent[];
  /** Resolves when the event has come (or had come before); rejects when the run ends without it. */
  until<Type extends EventType>(type: Type, matches?: (event: EventOf<Type>) => boolean): Promise<EventOf<Type>>;
  end: Promise<Completion>;
}

export function play(request: RunRequest, onEvent?: (event: AgentEvent, handle: RunHandle) => void): Play {
  const handle = run(request);
  const events: AgentEvent[] = [];
  const waiting = new Set<{ check: (event: AgentEvent) => boolean; fail: () => void }>();
  const reading = (async () => {
    for await (const event of handle.events) {
      events.push(event);
      for (const waiter of waiting) if (waiter.check(event)) waiting.delete(waiter);
      onEvent?.(event, handle);
    }
    for (const waiter of waiting) waiter.fail();
  })();

  return {
    handle,
    events,
    until(type, matches = () => true) {
      return new Promise((resolve, reject) => {
        const check = (event: AgentEvent): boolean => {
          if (event.type !== type || !matches(event as EventOf<typeof type>)) return false;
          resolve(event as EventOf<typeof type>);
          return true;
        };
        if (events.some(check)) return;
        waiting.add({ check, fail: () => reject(new Error(`The run ended without ${type}.`)) });
      });
    },
    end: reading.then(() => handle.completion),
  };
}

export function only<Type extends EventType>(events: readonly AgentEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}
