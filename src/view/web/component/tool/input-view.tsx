/** The input of a tool call: a command as a command, anything else as its fields. */
import { restOf } from '../../../../consent/index.js';
import type { Tool } from '../../../../session/index.js';
import { visible } from '../../text/visible.js';
import { CodeBlock } from '../part/code-block.js';
import { LongText } from '../part/long-text.js';

export function InputView({ tool: { input, inputText, command, commandAt } }: { tool: Tool }) {
  if (input === undefined || input === null) return inputText ? <LongText text={inputText} fromEnd /> : null;
  const fields = restOf({ input, command, commandAt });
  const isNamed = fields.some(({ name }) => name !== '');
  return (
    <>
      {command !== undefined && <CodeBlock code={visible(command)} language="bash" />}
      {!isNamed && fields.map(({ text }) => <LongText key={text} text={text} />)}
      {isNamed && (
        <dl class="fields">
          {fields.map(({ name, text }) => (
            <div key={name}>
              <dt>{visible(name)}</dt>
              <dd>
                <LongText text={text} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
