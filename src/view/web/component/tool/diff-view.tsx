/** A change of a file, line by line, with colours and signs. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { rowsOfPatch } from '../../../../consent/index.js';
import { visible } from '../../text/visible.js';
import { DiffLines } from './diff-lines.js';

type Differ = typeof import('../../text/diff-row.js');
let loaded: Differ | undefined;

interface Props {
  path: string;
  note?: string;
  /** Hunks, or the two texts. */
  patch?: string | undefined;
  before?: string | undefined;
  after?: string | undefined;
}

const MOST_ROWS = 300;

export function DiffView({ path, note = '', patch, before = '', after = '' }: Props) {
  const [differ, setDiffer] = useState<Differ | undefined>(() => loaded);
  const [limit, setLimit] = useState(MOST_ROWS);
  useEffect(() => {
    if (loaded) return;
    void import('../../text/diff-row.js').then((module) => {
      loaded = module;
      setDiffer(module);
    });
  }, []);
  const rows = useMemo(
    () => (patch === undefined ? differ?.rowsBetween(before, after) : rowsOfPatch(patch)) ?? [],
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
        <DiffLines rows={rows} limit={limit} />
      </pre>
      {rows.length > limit && (
        <button type="button" class="button quiet" onClick={() => setLimit(rows.length)}>
          {rows.length - limit} more lines
        </button>
      )}
    </figure>
  );
}
