/** One tool call: a line that says what it does and how it went; opened, its input and output. */

import { useStore } from '@nanostores/preact';
import { ChevronRight } from 'lucide-preact';
import { pathWithin } from '../../../../consent/index.js';
import {
  type Approval,
  entryAt,
  type FileChange,
  rowAt,
  type SessionState,
  type Tool,
  values,
} from '../../../../session/index.js';
import { counted } from '../../../../word/index.js';
import { $folds, childrenKey, toggleFold } from '../../state/fold.js';
import { folderOf } from '../../state/folder-of.js';
import { threadFacts } from '../../text/thread-facts.js';
import { visible } from '../../text/visible.js';
import { DecisionLine } from '../approval/decision-line.js';
import { UnaskedLine } from '../approval/unasked-line.js';
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
  const project = state && folderOf(state, tool.run);
  const approval = state && rowAt(state.approvals, tool.approval);
  const text = tool.progress?.text ?? pathWithin(tool.summary ?? '', project);
  return (
    <article class={`tool tool-${tool.status}`} aria-label={`Tool ${visible(name)}`}>
      <button type="button" class="tool-head" aria-expanded={isOpen} onClick={() => toggleFold(rowKey, isOpen)}>
        <ToolIcon kind={tool.kind} isAgent={tool.child !== undefined} />
        <span class="tool-name">{visible(name)}</span>
        <span class="tool-summary cut">{visible(text)}</span>
        {approval?.resolution?.changes && <span class="chip">edited</span>}
        {approval?.resolution?.by === 'rule' && <span class="chip">by rule</span>}
        <ToolStatus tool={tool} />
        <ChevronRight class="chevron" size={14} aria-hidden="true" />
      </button>
      {(isOpen || isWorthSeeing(approval)) && (
        <div class="tool-decision">
          {approval ? <DecisionLine approval={approval} /> : <UnaskedLine tool={tool} state={state} />}
        </div>
      )}
      {isOpen && <ToolBody tool={tool} changes={changes} project={project} />}
      {childCount > 0 && (
        <ChildrenFold
          tool={tool}
          count={childCount}
          facts={state && tool.child !== undefined ? threadFacts(state, tool.child) : ''}
          isOpen={folds[childrenKey(tool)] === true}
        />
      )}
    </article>
  );
}

interface FoldProps {
  tool: Tool;
  count: number;
  /** What all of it took. */
  facts: string;
  isOpen: boolean;
}

function ChildrenFold({ tool, count: steps, facts, isOpen }: FoldProps) {
  const key = childrenKey(tool);
  return (
    <button type="button" class="fold tool-children" aria-expanded={isOpen} onClick={() => toggleFold(key, isOpen)}>
      <ChevronRight class="chevron" size={14} aria-hidden="true" />
      <span class="tool-children-text">
        {isOpen ? 'Hide' : 'Show'} {counted(steps, 'step')} of the sub-agent
        {facts !== '' && <span class="faint"> · {facts}</span>}
      </span>
    </button>
  );
}

/** What a person decided, and what was refused, is told without being asked for. */
function isWorthSeeing(approval: Approval | undefined): boolean {
  const { by, decision } = approval?.resolution ?? {};
  return by === 'person' || decision === 'deny';
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
