/** Where an event is to be seen: for a search that found it, or a link to it. */
import type { AgentEvent } from '../../event/index.js';
import { positionOf } from '../item.js';
import type { SessionState } from '../state.js';
import { entries } from '../table/chunks.js';
import { findRow, keyOf, rowAt } from '../table/table.js';

/** Key of its row in `selectConversation`. Absent when it has none of its own, or is not part of this state. */
export function rowKeyOf(state: SessionState, event: AgentEvent): string | undefined {
  const run = findRow(state.runs, event.runId);
  if (run === undefined) return undefined;
  switch (event.type) {
    case 'user-message':
      return named('m', findRow(state.messages, keyOf(run, event.messageId ?? `user ${event.seq}`)));
    case 'text-end':
    case 'thinking-end': {
      const kind = event.type === 'text-end' ? 'text' : 'thinking';
      return named('m', findRow(state.messages, keyOf(run, event.messageId)), `.${positionOf(kind, event.index)}`);
    }
    case 'tool-start':
    case 'tool-input-end':
    case 'tool-end':
      return named('t', findRow(state.tools, keyOf(run, event.id)));
    case 'approval-request':
    case 'approval-resolve': {
      const number = findRow(state.approvals, keyOf(run, event.id));
      const tool = rowAt(state.approvals, number)?.tool;
      return tool === undefined ? named('approval', number) : named('t', tool);
    }
    default:
      return shownAsItCame(state, event);
  }
}

function named(letter: string, number: number | undefined, block = ''): string | undefined {
  return number === undefined ? undefined : `${letter}${number}${block}`;
}

function shownAsItCame(state: SessionState, { runId, seq }: AgentEvent): string | undefined {
  for (const [thread, { items }] of entries(state.threads)) {
    for (const [position, item] of entries(items)) {
      if (item.kind === 'event' && item.event.seq === seq && item.event.runId === runId)
        return `e${thread}.${position}`;
    }
  }
  return undefined;
}
