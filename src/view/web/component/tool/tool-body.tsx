/** What went into a tool call and what came out. */

import { editTexts, pathWithin } from '../../../../consent/index.js';
import type { FileChange, Tool } from '../../../../session/index.js';
import { visible } from '../../text/visible.js';
import { Attachments } from '../conversation/attachments.js';
import { DiffView } from './diff-view.js';
import { InputView } from './input-view.js';
import { OutputView } from './output-view.js';

interface Props {
  tool: Tool;
  changes: readonly FileChange[];
  project: string | undefined;
}

export function ToolBody({ tool, changes, project }: Props) {
  const fileName = (path: string, to?: string): string =>
    to ? `${fileName(path)} → ${fileName(to)}` : pathWithin(path, project);
  const diffs = changes.filter(({ diff }) => diff !== undefined);
  const edits = diffs.length === 0 ? editTexts(tool) : [];
  const isShownAsDiff = diffs.length > 0 || edits.length > 0;
  return (
    <div class="tool-body">
      {diffs.map(({ path, to, diff, kind }, index) => (
        <DiffView key={index} path={fileName(path, to)} note={kind === 'edit' ? '' : kind} patch={diff ?? ''} />
      ))}
      {edits.map(({ path, to, kind, all, ...texts }, index) => (
        <DiffView
          key={index}
          path={fileName(path, to)}
          note={kind === 'delete' || kind === 'move' ? kind : all ? 'everywhere' : ''}
          {...texts}
        />
      ))}
      {!isShownAsDiff && <InputView tool={tool} />}
      {tool.denial && <p class="error-text">{visible(tool.denial)}</p>}
      {(!isShownAsDiff || tool.status === 'failed') && <OutputView tool={tool} />}
      {tool.attachments && <Attachments attachments={tool.attachments} />}
    </div>
  );
}
