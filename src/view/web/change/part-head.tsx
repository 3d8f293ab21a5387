/** Above the lines of a part: where it stands, and what can be done with it alone. */
import { Check, Copy, Undo2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { placePath } from '../state/route.js';
import { visible } from '../text/visible.js';
import { MakerLine } from './maker-line.js';
import { asPatch } from './part-patch.js';
import type { Part, ReviewFile } from './review-file.js';
import type { Makers } from './use-makers.js';

interface Props {
  session: string;
  file: ReviewFile;
  part: Part;
  position: number;
  makers: Makers;
  onTakeBack?: (() => void) | undefined;
}

export function PartHead({ session, file, part, position, makers, onTakeBack }: Props) {
  const [isCopied, setCopied] = useState(false);
  const text = placeText(part);
  const copy = () =>
    navigator.clipboard.writeText(asPatch(file.path, part)).then(
      () => setCopied(true),
      () => undefined,
    );
  return (
    <div class="part-head">
      {part.row === undefined ? (
        <span class="part-place">{text}</span>
      ) : (
        <a href={placePath(session, { row: part.row })}>{visible(part.title ?? '')}</a>
      )}
      <MakerLine session={session} made={makers.of(file, position)} rowOf={makers.rowOf} />
      <span class="grow" />
      {onTakeBack && (
        <button
          type="button"
          class="icon-button"
          aria-label={`Take back ${text}…`}
          title="Take this part back…"
          onClick={onTakeBack}
        >
          <Undo2 size={14} aria-hidden="true" />
        </button>
      )}
      {part.rows.length > 0 && (
        <button
          type="button"
          class="icon-button"
          aria-label={isCopied ? 'Copied' : `Copy ${text} as a patch`}
          title="Copy as a patch"
          onClick={() => void copy()}
        >
          {isCopied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
        </button>
      )}
    </div>
  );
}

function placeText({ rows, title }: Part): string {
  const numbers = rows.flatMap((row) => row.new ?? []);
  const first = numbers[0] ?? rows.find(({ old }) => old !== undefined)?.old;
  const last = numbers.at(-1);
  if (first === undefined) return title ?? 'Its lines';
  return last === undefined || last === first ? `Line ${first}` : `Lines ${first} to ${last}`;
}
