/** One tool call: a line that says what it does and how it went; opened, its input and output. */
import { useStore } from '@nanostores/preact';
import { ChevronRight } from 'lucide-preact';
import { pathWithin } from '../../../../consent/index.js';
import { entryAt, type FileChange, rowAt, type SessionState, type Tool, values } from '../../../../session/index.js';
import { counted } from '../../../../word/index.js';
import { $folds, childrenKey, toggleFold } from '../../state/fold.js';
import { visible } from '../../text/visible.js';
import { ToolBody } from './tool-body.js';
import { ToolIcon } from './tool-icon.js';
import { ToolStatus } from './tool-status.js';

interface Props {
  rowKey: string;
  tool: Tool;
  childCount: number;
  state: SessionState | undefined;
}

export function ToolCard({ rowKey, tool, childCount, state }: Props) {
  const folds = useStore($folds, { keys: [rowKey, childrenKey(tool)] });
  const changes = changesOf(tool, state);
  const isOpen = folds[rowKey] ?? isOpenAtFirst(tool, changes);
  const name = tool.mcp ? `${tool.mcp.tool} (${tool.mcp.server})` : tool.title || tool.name || 'Tool';
  const project = state && rowAt(state.runs, tool.run)?.facts.cwd;
  const approval = state && rowAt(state.approvals, tool.approval);
  const text = tool.progress?.text ?? pathWithin(tool.summary ?? '', project);
  return (
    <article class={`tool tool-${tool.status}`} aria-label={`Tool ${visible(name)}`}>
      <button type="button" class="tool-head" aria-expanded={isOpen} onClick={() => toggleFold(rowKey, isOpen)}>
        <ToolIcon kind={tool.kind} isAgent={tool.child !== undefined} />
        <span class="tool-name">{visible(name)}</span>
        <span class="tool-summary cut">{visible(text)}</span>
        {approval?.resolution?.changes && <span class="chip">edited</span>}
        <ToolStatus tool={tool} />
        <ChevronRight class="chevron" size={14} aria-hidden="true" />
      </button>
      {isOpen && <ToolBody tool={tool} changes={changes} approval={approval} project={project} />}
      {childCount > 0 && <ChildrenFold tool={tool} count={childCount} isOpen={folds[childrenKey(tool)] === true} />}
    </article>
  );
}

function ChildrenFold({ tool, count: steps, isOpen }: { tool: Tool; count: number; isOpen: boolean }) {
  const key = childrenKey(tool);
  return (
    <button type="button" class="fold tool-children" aria-expanded={isOpen} onClick={() => toggleFold(key, isOpen)}>
      <ChevronRight class="chevron" size={14} aria-hidden="true" />
      {isOpen ? 'Hide' : 'Show'} {counted(steps, 'step')} of the sub-agent
    </button>
  );
}

/** What changed files or went wrong is worth seeing; what only looked around is not. */
function isOpenAtFirst(tool: Tool, changes: readonly FileChange[]): boolean {
  if (tool.status === 'failed') return tool.output !== undefined && tool.output !== '';
  if (tool.status === 'running') return tool.kind === 'execute' && tool.output !== undefined;
  return changes.some(({ diff }) => diff !== undefined);
}

function changesOf(tool: Tool, state: SessionState | undefined): FileChange[] {
  if (tool.changes === undefined || state === undefined) return [];
  return [...values(tool.changes)].flatMap((number) => entryAt(state.changes, number) ?? []);
}
