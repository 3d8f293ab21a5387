/** Text of any length: its beginning at first, more when asked for, so that no output holds up the page. */
import { useStore } from '@nanostores/preact';
import { useState } from 'preact/hooks';
import { $found } from '../../state/found.js';
import { wordPattern } from '../../text/find-words.js';
import { visible } from '../../text/visible.js';

const FIRST = 8000;
const STEP = 200_000;

export function LongText({ text, fromEnd = false }: { text: string; fromEnd?: boolean }) {
  const [wanted, setWanted] = useState(FIRST);
  const limit = Math.max(wanted, useFoundEnd(text));
  const hidden = text.length - limit;
  const shown = fromEnd ? text.slice(-limit) : text.slice(0, limit);
  const more = hidden > 0 && (
    <button type="button" class="button quiet" onClick={() => setWanted(limit + STEP)}>
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

/** Up to where the text must be shown for the first word that was searched for. */
function useFoundEnd(text: string): number {
  const found = useStore($found);
  if (found === undefined || text.length <= FIRST) return 0;
  const at = text.search(wordPattern(found.words) ?? /$^/);
  return at < 0 ? 0 : at + FIRST / 2;
}
