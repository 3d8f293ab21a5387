/** Bodies of events in few words, and the rows of a conversation as lines. */
import { type SessionState, selectConversation, values } from '../../src/session/index.js';
import type { Body } from './play.js';

export const text = (messageId: string, index: number, whole: string, more: Partial<Body> = {}): Body =>
  ({ type: 'text-end', messageId, index, text: whole, ...more }) as Body;
export const bash = (id: string, more: Partial<Body> = {}): Body =>
  ({ type: 'tool-start', id, name: 'Bash', kind: 'execute', ...more }) as Body;
export const done = (id: string, more: Partial<Body> = {}): Body =>
  ({ type: 'tool-end', id, status: 'ok', ...more }) as Body;

export function linesOf(state: SessionState): string[] {
  return selectConversation(state).map((row) => '  '.repeat(row.depth) + lineOf(row));
}

function lineOf(row: ReturnType<typeof selectConversation>[number]): string {
  switch (row.kind) {
    case 'text':
    case 'thinking':
      return `${row.kind} ${row.content.text}${row.content.complete ? '' : ' …'}${row.content.partial ? ' (cut)' : ''}`;
    case 'user':
      return `user ${[...values(row.content.blocks)].map((block) => block.text).join('')}`;
    case 'tool':
      return ['tool', row.content.name, row.content.status, row.content.summary].filter(Boolean).join(' ');
    case 'task':
    case 'approval':
      return `${row.kind} ${row.content.status}`;
    case 'event':
      return row.content.type;
    default:
      return row.kind;
  }
}

export function runEnd(reason: 'finished' | 'crashed'): Body {
  const open = { tools: [], tasks: [], approvals: [], processes: [] };
  return { type: 'run-end', reason, turns: 1, open, durationMs: 1 };
}
