/**
 * Reads back what `--json` printed. Whoever wrote it may have edited it: views must bear fields of any shape, and it passes the guard
 * again, because nobody knows whether it did before.
 */
import type { Decoder } from '../../decode/index.js';
import type { AgentEvent, Draft, Stamp } from '../../event/index.js';
import { createGuard } from '../../guard/index.js';
import { createLineDecoder, createTextEncoder, type Item } from '../../jsonl/index.js';

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
  const guard = createGuard();
  let last: AgentEvent | undefined;

  function read(item: Item): AgentEvent[] {
    if (item.kind === 'value' && isPrintedEvent(item.value)) {
      last = item.value;
      const passed = pass(item.value);
      if (passed) return passed;
    }
    if (!last) return [];
    const code = item.kind === 'error' ? item.code : 'json_parse';
    return [{ ...stampOf(last), type: 'decode-error', code, line: item.line, bytes: item.bytes, source: 'synthetic' }];
  }

  /** Undefined when a field has a shape that no event has, and the guard would have to guess. */
  function pass(event: AgentEvent): AgentEvent[] | undefined {
    try {
      return guard.pass(event).map((draft) => (draft === event ? event : restamp(draft, event)));
    } catch {
      return undefined;
    }
  }

  function end(): AgentEvent[] {
    const event = last;
    return event ? guard.end().map((draft) => restamp(draft, event)) : [];
  }

  return {
    push: (output) => lines.push(typeof output === 'string' ? encoder.push(output) : output).flatMap(read),
    end: () => [...lines.end().flatMap(read), ...end()],
  };
}

/** What the guard made anew has the stamp of what it was made of, unless it kept its own. */
function restamp(draft: Draft, event: AgentEvent): AgentEvent {
  return { ...stampOf(event), ...draft };
}

function stampOf({ seq, at, runId, agent, turn, source }: AgentEvent): Stamp & Pick<AgentEvent, 'turn'> {
  return { seq, at, runId, agent, turn, source };
}
