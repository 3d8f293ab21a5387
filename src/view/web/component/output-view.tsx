/** The output of a tool call: a list of files as a list, JSON as JSON, anything else as a terminal shows it. */
import type { Tool } from '../../../session/index.js';
import { visible } from '../text/visible.js';
import { CodeBlock } from './code-block.js';
import { LongText } from './long-text.js';

const MOST_JSON = 20_000;

export function OutputView({ tool }: { tool: Tool }) {
  const { output, status, kind } = tool;
  if (output === undefined || output === '') return status === 'ok' ? <p class="faint">No output</p> : null;
  const json = kind === 'execute' || kind === 'read' ? undefined : prettyJson(output);
  const isGoing = status === 'running';
  return (
    <section class={`tool-output ${status === 'failed' ? 'is-error' : ''}`} aria-label="Output">
      {tool.outputCut && <p class="faint">The beginning was let go.</p>}
      {json === undefined ? (
        <LongText text={output} fromEnd={isGoing} />
      ) : (
        <CodeBlock code={visible(json)} language="json" />
      )}
    </section>
  );
}

function prettyJson(text: string): string | undefined {
  if (text.length > MOST_JSON || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return undefined;
  }
}
