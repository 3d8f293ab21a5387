/** What went into a tool call and what came out. */
import type { FileChange, Tool } from '../../../session/index.js';
import { editsOf } from '../text/edit.js';
import { pathWithin } from '../text/format.js';
import { visible } from '../text/visible.js';
import { Attachments } from './attachments.js';
import { DiffView } from './diff-view.js';
import { InputView } from './input-view.js';
import { OutputView } from './output-view.js';

interface Props {
  tool: Tool;
  changes: readonly FileChange[];
  project: string | undefined;
}

export function ToolBody({ tool, changes, project }: Props) {
  const shorten = (path: string) => pathWithin(path, project);
  const diffs = changes.filter(({ diff }) => diff !== undefined);
  const edits = diffs.length === 0 && tool.kind === 'edit' ? editsOf(tool.input) : [];
  const isShownAsDiff = diffs.length > 0 || edits.length > 0;
  return (
    <div class="tool-body">
      {diffs.map(({ path, to, diff, kind }, index) => (
        <DiffView
          key={index}
          path={to ? `${shorten(path)} → ${shorten(to)}` : shorten(path)}
          note={kind === 'edit' ? '' : kind}
          patch={diff ?? ''}
        />
      ))}
      {edits.map(({ path, before, after }, index) => (
        <DiffView key={index} path={shorten(path)} before={before} after={after} />
      ))}
      {!isShownAsDiff && <InputView input={tool.input} inputText={tool.inputText} kind={tool.kind} />}
      {tool.denial && <p class="error-text">{visible(tool.denial)}</p>}
      {(!isShownAsDiff || tool.status === 'failed') && <OutputView tool={tool} />}
      {tool.attachments && <Attachments attachments={tool.attachments} />}
    </div>
  );
}
