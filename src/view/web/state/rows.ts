/** Which rows of a conversation the page shows. */
import {
  isInterruptToldBefore,
  isRunEndTold,
  type Row,
  type SessionState,
  selectConversation,
  selectPendingApprovals,
  type Tool,
} from '../../../session/index.js';
import { joinNeighbours } from './neighbour-rows.js';

/** Sub-agents are folded away unless the reader unfolded them. */
export function rowsOf(state: SessionState, isFolded: (tool: Tool) => boolean = foldAll): Row[] {
  const rows = selectConversation(state, { isFolded, isShown });
  const asked = new Set(selectPendingApprovals(state).flatMap(({ request }) => (request.plan ? [request.toolId] : [])));
  const shown = rows.filter(
    (row, index) =>
      !isToldByNext(row, rows[index + 1]) && !isInterruptToldBefore(row, rows[index - 1]) && !isAskedAbout(row, asked),
  );
  return joinNeighbours(shown);
}

/** A plan that waits for an answer is read where it is answered. */
function isAskedAbout(row: Row, asked: ReadonlySet<string | undefined>): boolean {
  return row.kind === 'event' && row.content.type === 'plan-mode' && asked.has(row.content.toolId);
}

/** Some agents say what failed as their answer too; it is shown once, as the failure that it is. */
function isToldByNext(row: Row, next: Row | undefined): boolean {
  if (row.kind !== 'text' || next === undefined) return false;
  const failure =
    next.kind === 'event' && next.content.type === 'agent-error'
      ? next.content
      : next.kind === 'turn'
        ? next.content.end?.error
        : undefined;
  return failure !== undefined && row.content.text.trim() === failure.message.trim();
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
    case 'task':
      // The card of its call tells what a sub-agent does and took.
      return !(row.content.kind === 'agent' && row.content.tool !== undefined && !row.content.background);
    case 'text':
      return row.content.text !== '';
    case 'user':
      return row.content.synthetic !== true;
    case 'run':
      return isRunEndTold(row.content);
    case 'event':
      return (
        row.content.type !== 'session-change' && !(row.content.type === 'rate-limit' && row.content.state === 'allowed')
      );
    default:
      return true;
  }
}
