/** A lossy view of a run: bounded, never slows it down, may lose deltas and says so with `gap`, never loses anything else. */
import type { AgentEvent, EventOf } from '../event/index.js';

export interface Tap extends AsyncIterableIterator<AgentEvent> {
  /** Deltas that this view did not get. */
  lost(): number;
}

export interface TapFeed {
  readonly tap: Tap;
  push(events: readonly AgentEvent[]): void;
  end(): void;
}

export function createTap(capacity: number, onClose: () => void): TapFeed {
  let waiting: ((result: IteratorResult<AgentEvent>) => void)[] = [];
  let buffer: AgentEvent[] = [];
  let deltas = 0;
  let lost = 0;
  let ended = false;

  function add(event: AgentEvent): void {
    if (!isDelta(event)) {
      buffer.push(event);
      return;
    }
    if (buffer.length >= capacity && deltas > 0) {
      lost += deltas;
      deltas = 0;
      buffer = withoutDeltas(buffer);
    }
    if (buffer.length >= capacity) {
      lost += 1;
      lose(buffer, event);
      return;
    }
    deltas += 1;
    buffer.push(event);
  }

  function take(): IteratorResult<AgentEvent> | undefined {
    const event = buffer.shift();
    if (event && isDelta(event)) deltas -= 1;
    if (event) return { done: false, value: event };
    return ended ? { done: true, value: undefined } : undefined;
  }

  function serve(): void {
    while (waiting.length > 0) {
      const result = take();
      if (!result) return;
      waiting.shift()?.(result);
    }
  }

  function close(): void {
    ended = true;
    buffer = [];
    serve();
    waiting = [];
    onClose();
  }

  return {
    push(events) {
      for (const event of events) add(event);
      serve();
    },
    end() {
      ended = true;
      serve();
    },
    tap: {
      next() {
        return new Promise((resolve) => {
          waiting.push(resolve);
          serve();
        });
      },
      return() {
        close();
        return Promise.resolve({ done: true, value: undefined });
      },
      lost: () => lost,
      [Symbol.asyncIterator]() {
        return this;
      },
    },
  };
}

/** State can be rebuilt without these: each is followed by an end that carries the whole. */
function isDelta({ type }: AgentEvent): boolean {
  return type.endsWith('-delta') || type.endsWith('-progress');
}

function withoutDeltas(events: readonly AgentEvent[]): AgentEvent[] {
  const rest: AgentEvent[] = [];
  for (const event of events) {
    if (isDelta(event)) lose(rest, event);
    else rest.push(event);
  }
  return rest;
}

/** Declares the loss of `event` at the end of `buffer`, widening a gap that ends right before it. */
function lose(buffer: AgentEvent[], event: AgentEvent): void {
  const last = buffer.at(-1);
  const from = event.fromSeq ?? event.seq;
  if (last?.type === 'gap' && last.to + 1 === from) buffer[buffer.length - 1] = gap(last.from, event);
  else buffer.push(gap(from, event));
}

function gap(from: number, last: AgentEvent): EventOf<'gap'> {
  const { seq, at, runId, agent, turn } = last;
  const why = 'this view fell behind';
  return { type: 'gap', from, to: seq, why, fromSeq: from, seq, at, runId, agent, turn, source: 'synthetic' };
}
