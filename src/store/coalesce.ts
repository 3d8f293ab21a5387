/**
 * Makes few events of many deltas before they are written.
 *
 * Neighbouring deltas of one block become one, and the end of a block, which has its whole text, takes the place of all deltas right
 * before it, also of those that were taken already. Nothing that a view needs is lost, and `fromSeq` leaves no hole.
 */
import type { AgentEvent } from '../event/index.js';

export interface Coalescer {
  add(event: AgentEvent): void;
  /** What is to be written now, in order. */
  take(): AgentEvent[];
  isEmpty(): boolean;
}

/** Deltas of one block without anything in between. */
interface Stretch {
  block: string;
  fromSeq: number;
  lastSeq: number;
  /** The one event that its deltas became since the last `take`. */
  merged: (AgentEvent & { text: string }) | undefined;
}

export function createCoalescer(): Coalescer {
  let waiting: AgentEvent[] = [];
  let stretch: Stretch | undefined;

  return {
    add(event) {
      const follows = stretch && stretch.lastSeq + 1 === (event.fromSeq ?? event.seq) ? stretch : undefined;
      if (isDelta(event)) addDelta(event, follows?.block === blockOf(event) ? follows : undefined);
      else addOther(event, follows && follows.block === endedBlock(event) ? follows : undefined);
    },
    take() {
      const taken = waiting;
      waiting = [];
      if (stretch) stretch.merged = undefined;
      return taken;
    },
    isEmpty: () => waiting.length === 0,
  };

  function addDelta(event: Delta, open: Stretch | undefined): void {
    const fromSeq = open?.merged?.fromSeq ?? open?.merged?.seq ?? event.fromSeq ?? event.seq;
    const merged = open?.merged ? { ...event, text: open.merged.text + event.text, fromSeq } : event;
    if (open?.merged) waiting.pop();
    waiting.push(merged);
    stretch = { block: blockOf(event), fromSeq: open?.fromSeq ?? fromSeq, lastSeq: event.seq, merged };
  }

  function addOther(event: AgentEvent, ended: Stretch | undefined): void {
    if (ended?.merged) waiting.pop();
    waiting.push(ended ? { ...event, fromSeq: ended.fromSeq } : event);
    stretch = undefined;
  }
}

type Delta = Extract<AgentEvent, { type: 'text-delta' | 'thinking-delta' | 'tool-input-delta' | 'tool-output-delta' }>;

function isDelta(event: AgentEvent): event is Delta {
  return event.type.endsWith('-delta');
}

function blockOf(event: Delta): string {
  switch (event.type) {
    case 'text-delta':
    case 'thinking-delta':
      return `${event.type.slice(0, -6)} ${event.messageId} ${event.index}`;
    case 'tool-input-delta':
      return `input ${event.id}`;
    case 'tool-output-delta':
      return `output ${event.id} ${event.stream ?? ''}`;
  }
}

/** A tool's end does not repeat all of its output, so it replaces nothing. */
function endedBlock(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'text-end':
    case 'thinking-end':
      return `${event.type.slice(0, -4)} ${event.messageId} ${event.index}`;
    case 'tool-input-end':
      return `input ${event.id}`;
    default:
      return undefined;
  }
}
