/** For programs that print one of several streams: reads a recording without being told which one it is. */
import type { Protocol } from './agent.js';

/** A protocol that becomes the one `choose` names for the first value. Until then there is nothing to say or to end. */
export function createByFirstValue(choose: (value: unknown) => Protocol): Protocol {
  let chosen: Protocol | undefined;
  const nothing = { events: [], send: [] };
  return {
    start: () => nothing,
    receive(value, bytes) {
      chosen ??= choose(value);
      return chosen.receive(value, bytes);
    },
    act: (action) => chosen?.act(action) ?? 'unsupported',
    end: () => chosen?.end() ?? nothing,
    idle: () => chosen?.idle() ?? false,
  };
}
