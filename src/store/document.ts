/** What of an event can be found by words. Deltas are not among it: the whole text follows them. */
import type { AgentEvent, EventOf } from '../event/index.js';
import type { SearchField } from './query.js';

/** Words of an event, and where they stand in it. */
export interface Document {
  field: SearchField;
  text: string;
}

/** Has no words of its own, or tells them again. */
// biome-ignore format: to be read at one glance
type Wordless =
  | 'session-start' | 'session-change' | 'session-update' | 'turn-start' | 'turn-end' | 'message-start' | 'text-delta'
  | 'thinking-start' | 'thinking-delta' | 'message-end' | 'message-retract' | 'tool-start' | 'tool-input-delta'
  | 'tool-output-delta' | 'tool-progress' | 'file-change' | 'todo-update' | 'plan-mode' | 'task-start' | 'task-progress'
  | 'task-end' | 'approval-withdraw' | 'permission-deny' | 'status' | 'retry' | 'rate-limit' | 'compaction-start'
  | 'compaction-end' | 'hook-start' | 'hook-end' | 'usage-update' | 'decode-error' | 'warning' | 'gap' | 'unknown'
  | 'run-end';

/** What of an event can be found; absent for most of them. */
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
    case 'approval-request':
      return found('text', asked(event));
    case 'approval-resolve':
      // What a person said counts as a prompt.
      return found(
        'prompt',
        [event.message ?? '', leaves(event.answers), leaves(event.changes?.set)].filter(Boolean).join('\n'),
      );
    case 'agent-error':
      return found('text', event.message);
    default:
      event satisfies EventOf<Wordless>;
      return undefined;
  }
}

/** A call is found by its own arguments; questions and plans have no other place. */
function asked({ kind, title, plan, questions = [] }: EventOf<'approval-request'>): string {
  if (kind === 'tool' || kind === 'hook') return '';
  const options = questions.flatMap(({ question, options: choices = [] }) => [
    question,
    ...choices.map(({ label }) => label),
  ]);
  return [title, plan, ...options].filter(Boolean).join('\n');
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
