import { refuseUnknown } from '../event/option.js';
import type { Protocol, Step } from './agent.js';
import type { Chronicle } from './chronicle/chronicle.js';
import { type Json, lookUp, members, string } from './field.js';

/** How the lines of such a program are read. */
export interface Printed {
  /** False for a line that is not known: it is told as unknown, under its type. `value` is what was printed, also where that is no object. */
  read(line: Json, bytes: number, value: unknown): boolean;
  /** The prompt, where no line of the stream repeats it. */
  prompt?: string | undefined;
  /** The stream is over; without this, whatever is open is closed. */
  end?(): void;
  idle?(): boolean;
}

/** The protocol of a program that only prints: nothing is written to it, and nobody answers it. */
export function createPrintOnlyProtocol(chronicle: Chronicle, printed: Printed): Protocol {
  refuseUnknown('createPrintOnlyProtocol', printed, { read: true, prompt: true, end: true, idle: true });
  const { read, prompt, end, idle } = printed;
  const step = (): Step => ({ events: chronicle.take(), send: [] });
  return {
    start() {
      if (prompt !== undefined) chronicle.say({ text: prompt });
      return step();
    },
    receive(value, bytes) {
      const line = members(value);
      if (!read(line, bytes, value))
        chronicle.write({ type: 'unknown', wireType: string(line.type) ?? typeof value, bytes });
      return step();
    },
    act: () => 'unsupported',
    end() {
      if (end) end();
      else chronicle.end();
      return step();
    },
    idle: idle ?? (() => !chronicle.inTurn),
  };
}

/** Reads each line with the reader of its type. */
export function byType(readers: Readonly<Record<string, (line: Json, bytes: number) => void>>): Printed['read'] {
  return (line, bytes) => {
    const read = lookUp(readers, string(line.type));
    read?.(line, bytes);
    return read !== undefined;
  };
}
