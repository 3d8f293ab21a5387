/** Which rows of a conversation the page shows. */
import { type Row, type Run, type SessionState, selectConversation, type Tool } from '../../../session/index.js';

/** Sub-agents are folded away unless the reader unfolded them. */
export function rowsOf(state: SessionState, isFolded: (tool: Tool) => boolean = foldAll): Row[] {
  return selectConversation(state, { isFolded, isShown });
}

const foldAll = () => true;

/** Answered approvals are told by their tool, and hooks that went well by nothing. */
function isShown(row: Row): boolean {
  switch (row.kind) {
    case 'approval':
      return (
        row.content.status !== 'pending' &&
        (row.content.tool === undefined || row.content.resolution?.message !== undefined)
      );
    case 'hook':
      return row.content.end !== undefined && row.content.end.outcome !== 'ok';
    case 'text':
      return row.content.text !== '';
    case 'user':
      return row.content.synthetic !== true;
    case 'run':
      return isRunEndShown(row.content.end);
    case 'event':
      return (
        row.content.type !== 'session-change' && !(row.content.type === 'rate-limit' && row.content.state === 'allowed')
      );
    default:
      return true;
  }
}

/** A failure was already told by the turn that failed. */
function isRunEndShown(end: Run['end']): boolean {
  return end !== undefined && end.reason !== 'finished' && !(end.reason === 'failed' && end.turns > 0);
}
