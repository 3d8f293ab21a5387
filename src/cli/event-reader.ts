/** Reads back what `--json` printed. Whoever wrote it may have edited it: views must bear fields of any shape. */
import type { Decoder } from '../decode/index.js';
import type { AgentEvent, Stamp } from '../event/index.js';
import { createLineDecoder, createTextEncoder, type Item } from '../jsonl/index.js';

/** `schema: 1` is the mark of a printed event; no agent has it. Its stamp must be whole, of the rest nothing is promised. */
export function isPrintedEvent(value: unknown): value is AgentEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { schema, type, seq, at, agent } = value as Partial<Record<keyof Stamp | 'type', unknown>>;
  const isStamped = typeof seq === 'number' && typeof at === 'number' && typeof agent === 'string';
  return schema === 1 && typeof type === 'string' && isStamped;
}

export function createEventReader(): Decoder {
  const lines = createLineDecoder();
  const encoder = createTextEncoder();
  let last: AgentEvent | undefined;

  function read(item: Item): AgentEvent[] {
    if (item.kind === 'value' && isPrintedEvent(item.value)) {
      last = item.value;
      return [last];
    }
    if (!last) return [];
    const { seq, at, runId, agent, turn } = last;
    const code = item.kind === 'error' ? item.code : 'json_parse';
    return [
      {
        type: 'decode-error',
        code,
        line: item.line,
        bytes: item.bytes,
        seq,
        at,
        runId,
        agent,
        turn,
        source: 'synthetic',
      },
    ];
  }

  return {
    push: (output) => lines.push(typeof output === 'string' ? encoder.push(output) : output).flatMap(read),
    end: () => lines.end().flatMap(read),
  };
}
