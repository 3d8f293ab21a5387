/** One line of a review, or two beside each other. */
import { memo } from 'preact/compat';
import { useContext } from 'preact/hooks';
import { visible } from '../text/visible.js';
import type { Line } from './line-row.js';
import type { DrawnPiece } from './line-text.js';
import { TalkContext, type Talking } from './talk.js';
import { usePieces } from './use-pieces.js';

const SIGNS: Record<Line['kind'], string> = { add: '+', remove: '−', same: '', gap: '' };

export const LineView = memo(({ line }: { line: Line }) => (
  <div class={`review-line line-${line.kind}`}>
    <span class="line-place">{line.old}</span>
    <span class="line-place">{line.new}</span>
    <LineBody line={line} />
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
      <span class="line-place">{place}</span>
      <LineBody line={line} />
    </div>
  );
}

function LineBody({ line }: { line: Line }) {
  const talking = useContext(TalkContext);
  const pieces = usePieces(line);
  const isOtherEnd = line.text.endsWith('\r') && line.partner?.text.endsWith('\r') === false;
  return (
    <>
      {talking && <CommentButton line={line} talking={talking} />}
      <span class="line-sign">{SIGNS[line.kind]}</span>
      <code class="line-text">
        {line.kind === 'gap' ? '⋯' : pieces.map(drawnPiece)}
        {isOtherEnd && <span class="word-changed">␍</span>}
      </code>
    </>
  );
}

function drawnPiece({ text, look, isChanged }: DrawnPiece, index: number) {
  const shown = visible(text.replace(/\r$/, ''));
  if (!look && !isChanged) return shown;
  return (
    <span key={index} class={isChanged ? `${look ?? ''} word-changed` : look}>
      {shown}
    </span>
  );
}

/** Where a pointer went down: up elsewhere, all lines between are meant. */
let begun: Line | undefined;

function CommentButton({ line, talking }: { line: Line; talking: { current: Talking } }) {
  return (
    <button
      type="button"
      class="line-comment"
      tabIndex={-1}
      aria-label={`Comment on ${lineName(line)}: ${visible(line.text.trim())}`}
      onPointerDown={() => {
        begun = line;
      }}
      onPointerUp={() => {
        if (!begun || begun === line || begun.siblings !== line.siblings) return;
        talking.current.choose(begun, false);
        talking.current.choose(line, true);
      }}
      onClick={({ shiftKey }) => talking.current.choose(line, shiftKey)}
    />
  );
}

const lineName = ({ new: now, old }: Line): string => (now === undefined ? `removed line ${old}` : `line ${now}`);
