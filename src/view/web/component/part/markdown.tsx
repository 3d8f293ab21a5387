/** Markdown of an agent, also while it grows: finished blocks are not touched again. */
import { Parser, type Token, type Tokens } from 'marked';
import { memo } from 'preact/compat';
import { useRef } from 'preact/hooks';
import { WRITTEN } from '../../../../word/read-markdown.js';
import { emptyMarkdown, growMarkdown } from '../../text/markdown-blocks.js';
import { SafeHtml } from '../../text/safe-html.js';
import { visible } from '../../text/visible.js';
import { CodeBlock } from './code-block.js';
import { LongText } from './long-text.js';

/** More than this is no prose; it is shown as it is. */
const MOST_CHARACTERS = 400_000;

export function Markdown({ text, isComplete = true }: { text: string; isComplete?: boolean }) {
  const grown = useRef(emptyMarkdown);
  if (text.length > MOST_CHARACTERS) return <LongText text={text} />;
  grown.current = growMarkdown(grown.current, visible(text), isComplete);
  return (
    <div class="prose" dir="auto">
      {grown.current.blocks.map(({ token, key }) => (
        <Block key={key} token={token} />
      ))}
    </div>
  );
}

const Block = memo(
  ({ token }: { token: Token }) => {
    if (token.type === 'space') return null;
    if (token.type === WRITTEN) return <LongText text={token.text} />;
    if (isCode(token)) return <CodeBlock code={token.text} language={token.lang?.split(/\s/)[0] ?? ''} />;
    return <SafeHtml html={Parser.parse([token])} />;
  },
  (before, after) => before.token.type === after.token.type && before.token.raw === after.token.raw,
);

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}
