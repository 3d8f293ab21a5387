/** The input of a tool call: a command as a command, anything else as its fields. */
import type { ToolKind } from '../../../event/index.js';
import { visible } from '../text/visible.js';
import { CodeBlock } from './code-block.js';
import { LongText } from './long-text.js';

interface Props {
  input: unknown;
  inputText?: string | undefined;
  kind: ToolKind | undefined;
}

export function InputView({ input, inputText, kind }: Props) {
  if (input === undefined || input === null) return inputText ? <LongText text={inputText} fromEnd /> : null;
  if (typeof input !== 'object') return <LongText text={String(input)} />;
  const fields = Object.entries(input);
  const command = kind === 'execute' ? fields.find(([name]) => /^(command|cmd|script)$/.test(name))?.[1] : undefined;
  const shown = typeof command === 'string' ? fields.filter(([, value]) => value !== command) : fields;
  return (
    <>
      {typeof command === 'string' && <CodeBlock code={visible(command)} language="bash" />}
      {shown.length > 0 && (
        <dl class="fields">
          {shown.map(([name, value]) => (
            <div key={name}>
              <dt>{visible(name)}</dt>
              <dd>
                {typeof value === 'string' ? (
                  <LongText text={value} />
                ) : (
                  <LongText text={JSON.stringify(value, undefined, 2) ?? ''} />
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
