/** One row of the conversation; drawn again only when its content changed. */
import { memo } from 'preact/compat';
import type { Row, SessionState } from '../../../../session/index.js';
import { ApprovalLine } from '../approval/approval-line.js';
import { Markdown } from '../part/markdown.js';
import { ToolCard } from '../tool/tool-card.js';
import { EventLine } from './event-line.js';
import { HookLine } from './hook-line.js';
import { RunLine } from './run-line.js';
import { TaskLine } from './task-line.js';
import { Thinking } from './thinking.js';
import { TurnLine } from './turn-line.js';
import { UserMessage } from './user-message.js';

interface Props {
  row: Row;
  /** A link led here. */
  isFound: boolean;
  /** Only for rows that look something up: a tool the files that it changed, a turn whether its error was told. */
  state: SessionState | undefined;
}

export const ConversationRow = memo(
  ({ row, isFound, state }: Props) => (
    <div class={`row row-${row.kind} ${isFound ? 'is-found' : ''}`} data-depth={Math.min(row.depth, 4)}>
      <RowContent row={row} state={state} />
    </div>
  ),
  // The state is another one with every event, but a tool changes with its changes.
  (before, after) => before.row === after.row && before.isFound === after.isFound,
);

function RowContent({ row, state }: Omit<Props, 'isFound'>) {
  switch (row.kind) {
    case 'text':
      return <Markdown text={row.content.text} isComplete={row.content.complete} />;
    case 'thinking':
      return <Thinking rowKey={row.key} block={row.content} />;
    case 'user':
      return <UserMessage message={row.content} isFromAgent={row.depth > 0} />;
    case 'tool':
      return <ToolCard rowKey={row.key} tool={row.content} childCount={row.children} state={state} />;
    case 'task':
      return <TaskLine task={row.content} />;
    case 'approval':
      return <ApprovalLine approval={row.content} />;
    case 'hook':
      return <HookLine hook={row.content} />;
    case 'turn':
      return <TurnLine turn={row.content} state={state} />;
    case 'run':
      return <RunLine run={row.content} />;
    case 'event':
      return <EventLine event={row.content} />;
  }
}
