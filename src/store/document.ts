/** What of an event can be found by words. Deltas are not among it: the whole text follows them. */
import type { AgentEvent } from '../event/index.js';
import type { SearchField } from './query.js';

export interface Document {
  field: SearchField;
  text: string;
}

export function documentOf(event: AgentEvent): Document | undefined {
  switch (event.type) {
    case 'user-message':
      return event.replay ? undefined : found('prompt', event.text);
    case 'text-end':
      return found('text', event.text);
    case 'thinking-end':
      return found('thinking', event.text);
    case 'tool-input-end':
      return found('input', leaves(event.input));
    case 'tool-end':
      return found('output', event.output ?? '');
    case 'agent-error':
      return found('text', event.message);
    default:
      return undefined;
  }
}

function found(field: SearchField, text: string): Document | undefined {
  return text ? { field, text } : undefined;
}

/** The values without their keys: a search for `command` must not find every shell call. */
function leaves(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(leaves).filter(Boolean).join('\n');
}
