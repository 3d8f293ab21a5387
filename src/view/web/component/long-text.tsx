/** Text of any length: its beginning at first, more when asked for, so that no output holds up the page. */
import { useState } from 'preact/hooks';
import { visible } from '../text/visible.js';

const FIRST = 8000;
const STEP = 200_000;

export function LongText({ text, fromEnd = false }: { text: string; fromEnd?: boolean }) {
  const [limit, setLimit] = useState(FIRST);
  const hidden = text.length - limit;
  const shown = fromEnd ? text.slice(-limit) : text.slice(0, limit);
  const more = hidden > 0 && (
    <button type="button" class="button quiet" onClick={() => setLimit(limit + STEP)}>
      {hidden.toLocaleString()} more characters
    </button>
  );
  return (
    <>
      {fromEnd && more}
      <pre class="output">{visible(shown)}</pre>
      {!fromEnd && more}
    </>
  );
}
