/** A change of a file, line by line, with colours and signs. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { visible } from '../text/visible.js';

type Differ = typeof import('../text/diff-row.js');
let loaded: Differ | undefined;

interface Props {
  path: string;
  note?: string;
  /** Hunks, or the two texts. */
  patch?: string;
  before?: string;
  after?: string;
}

const MOST_ROWS = 300;
const SIGNS = { add: '+', remove: '−', same: ' ', hunk: ' ' };

export function DiffView({ path, note = '', patch, before = '', after = '' }: Props) {
  const [differ, setDiffer] = useState<Differ | undefined>(() => loaded);
  const [limit, setLimit] = useState(MOST_ROWS);
  useEffect(() => {
    if (loaded) return;
    void import('../text/diff-row.js').then((module) => {
      loaded = module;
      setDiffer(module);
    });
  }, []);
  const rows = useMemo(
    () => (patch === undefined ? differ?.rowsBetween(before, after) : differ?.rowsOfPatch(patch)) ?? [],
    [differ, patch, before, after],
  );
  const added = rows.filter(({ kind }) => kind === 'add').length;
  const removed = rows.filter(({ kind }) => kind === 'remove').length;
  return (
    <figure class="diff">
      <figcaption>
        <span class="cut">
          <bdi dir="ltr">{visible(path)}</bdi>
        </span>
        {note && <span class="chip">{note}</span>}
        <span class="added">+{added}</span>
        <span class="removed">−{removed}</span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <pre tabIndex={0}>
        {rows.slice(0, limit).map(({ kind, text }, index) => (
          <span key={index} class={`diff-${kind}`}>
            <span class="sign">{SIGNS[kind]}</span>
            {visible(text)}
            {'\n'}
          </span>
        ))}
      </pre>
      {rows.length > limit && (
        <button type="button" class="button quiet" onClick={() => setLimit(rows.length)}>
          {rows.length - limit} more lines
        </button>
      )}
    </figure>
  );
}
