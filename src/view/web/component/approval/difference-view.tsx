/** How a file would change: its lines with the numbers that they have before and after. */
import type { DifferencePart } from '../../../../consent/index.js';
import { visible } from '../../text/visible.js';
import { DiffLines } from '../tool/diff-lines.js';

const WORDS = { new: 'new file', deleted: 'deleted', moved: 'moved' };

export function DifferenceView({ part, limit }: { part: DifferencePart; limit: number | undefined }) {
  const { path, to, state, remarks, rows, added, removed } = part;
  return (
    <figure class="diff diff-whole">
      <figcaption class={path === undefined ? 'is-nameless' : undefined}>
        <span class="cut">
          {path !== undefined && <bdi dir="ltr">{visible(to === undefined ? path : `${path} → ${to}`)}</bdi>}
        </span>
        {state && <span class="chip">{WORDS[state]}</span>}
        {added + removed > 0 && (
          <>
            <span class="added">+{added}</span>
            <span class="removed">−{removed}</span>
          </>
        )}
      </figcaption>
      {remarks.map((remark) => (
        <p key={remark} class="diff-remark">
          {visible(remark)}
        </p>
      ))}
      {rows.length > 0 && (
        <pre>
          <DiffLines rows={rows} limit={limit} />
        </pre>
      )}
    </figure>
  );
}
