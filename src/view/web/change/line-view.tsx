/** One line of a review, or two beside each other. */
import { memo } from 'preact/compat';
import { visible } from '../text/visible.js';
import type { Line } from './line-row.js';
import { drawnPieces } from './line-text.js';

const SIGNS: Record<Line['kind'], string> = { add: '+', remove: '−', same: '', gap: '' };

export const LineView = memo(({ line }: { line: Line }) => (
  <div class={`review-line line-${line.kind}`}>
    <span class="line-place">{line.old ?? ''}</span>
    <span class="line-place">{line.new ?? ''}</span>
    <Sign line={line} />
    <LineText line={line} />
  </div>
));

export const PairView = memo(({ left, right }: { left: Line | undefined; right: Line | undefined }) => (
  <div class="review-pair">
    <Half line={left} place={left?.old} />
    <Half line={right} place={right?.new} />
  </div>
));

function Half({ line, place }: { line: Line | undefined; place: number | undefined }) {
  if (!line) return <div class="review-half line-none" />;
  return (
    <div class={`review-half line-${line.kind}`}>
      <span class="line-place">{place ?? ''}</span>
      <Sign line={line} />
      <LineText line={line} />
    </div>
  );
}

function Sign({ line }: { line: Line }) {
  return <span class="line-sign">{SIGNS[line.kind]}</span>;
}

function LineText({ line }: { line: Line }) {
  if (line.kind === 'gap') return <code class="line-text">⋯</code>;
  const pieces = drawnPieces(line);
  const isOtherEnd = line.text.endsWith('\r') && line.partner?.text.endsWith('\r') === false;
  return (
    <code class="line-text">
      {pieces.map(({ text, look, isChanged }, index) => {
        const shown = visible(text.replace(/\r$/, ''));
        const looks = [look, isChanged ? 'word-changed' : ''].filter(Boolean).join(' ');
        return looks === '' ? (
          shown
        ) : (
          <span key={index} class={looks}>
            {shown}
          </span>
        );
      })}
      {isOtherEnd && <span class="word-changed">␍</span>}
    </code>
  );
}
