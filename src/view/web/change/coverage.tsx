/** From what a review is known, and what is not in it. */
import { counted } from '../../../word/index.js';
import { visible } from '../text/visible.js';

interface Props {
  /** Only the edits of somebody are shown, as they were told. */
  isTold: boolean;
  /** Why no kept files are shown. */
  refusal: string;
  /** Turns of which nothing is kept. */
  missing: readonly number[];
  /** Files that are not listed. */
  more: number;
}

export function Coverage({ isTold, refusal, missing, more }: Props) {
  const texts = isTold
    ? ['As the agent told its edits; what its commands changed is not among them.']
    : [
        refusal &&
          `${refusal} These are the edits that the agent told; what its commands changed, and what the files are now, is not known.`,
        missing.length > 0 && `Of turn ${missing.join(', ')} no files are kept: what changed then is not here.`,
        more > 0 && `${counted(more, 'more file')} are not listed.`,
      ].filter(Boolean);
  if (texts.length === 0) return null;
  return <p class={refusal === '' ? 'review-coverage faint' : 'review-coverage'}>{visible(texts.join(' '))}</p>;
}
