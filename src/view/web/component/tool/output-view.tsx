/** The output of a tool call: a list of files as a list, JSON as JSON, anything else as a terminal shows it. */
import { withoutColours } from '../../../../event/index.js';
import type { Tool } from '../../../../session/index.js';
import { filesIn } from '../../text/files-in.js';
import { prettyJson } from '../../text/pretty-json.js';
import { visible } from '../../text/visible.js';
import { CodeBlock } from '../part/code-block.js';
import { LongText } from '../part/long-text.js';
import { FileList } from './file-list.js';

export function OutputView({ tool }: { tool: Tool }) {
  const { output, status, kind } = tool;
  if (output === undefined || output === '') return status === 'ok' ? <p class="faint">No output</p> : null;
  const json = kind === 'execute' || kind === 'read' ? undefined : prettyJson(output);
  const files = kind === 'search' && status === 'ok' ? filesIn(output) : undefined;
  const isGoing = status === 'running';
  return (
    <section class={`tool-output ${status === 'failed' ? 'is-error' : ''}`} aria-label="Output">
      {tool.outputCut && <p class="faint">The beginning was let go.</p>}
      {files && <FileList files={files} />}
      {json !== undefined && <CodeBlock code={visible(json)} language="json" />}
      {!files && json === undefined && <LongText text={withoutColours(output)} fromEnd={isGoing} />}
    </section>
  );
}
