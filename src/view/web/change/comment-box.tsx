/** Where a comment is written, below its lines. What was written is never lost by a key or a reload. */

import { useStore } from '@nanostores/preact';
import { atom } from 'nanostores';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visible } from '../text/visible.js';
import { beginning, linesText, widened } from './comment-place.js';
import type { Draft } from './drafts.js';
import type { Line } from './line-row.js';
import type { Talking } from './talk.js';

interface Props {
  draft: Draft;
  /** The last of its lines; absent where they are not shown. */
  line?: Line | undefined;
  talking: Talking;
}

/** The one that somebody has just opened: it gets the focus, and those that a reload brought back do not. */
export const $opened = atom('');

export function CommentBox({ draft, line, talking: { drafts, comments } }: Props) {
  const { key } = draft;
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => drafts.textOf(key));
  const opened = useStore($opened);
  // At once: the next key is already meant for it.
  useLayoutEffect(() => {
    if (opened !== key) return;
    $opened.set('');
    field.current?.focus();
  }, [opened, key]);
  const isEmpty = text.trim() === '';
  const save = () => {
    if (!isEmpty) void comments.save(draft, text.trim()).then(backToLines);
  };
  const close = () => {
    drafts.close(key);
    backToLines();
  };
  const widen = (by: 'above' | 'below') => {
    const wider = line && widened(line, draft, by);
    if (wider) drafts.move(key, wider);
  };
  return (
    <form
      class="comment-box"
      aria-label={`Comment on ${linesText(draft)}`}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          save();
        }
        if (event.key === 'Escape') {
          event.preventDefault();
          if (isEmpty) close();
        }
      }}
    >
      <p class="comment-place">
        <span>{beginning(linesText(draft))}</span>
        {line && draft.comment === undefined && (
          <>
            <button
              type="button"
              class="link-button"
              disabled={!widened(line, draft, 'above')}
              onClick={() => widen('above')}
            >
              one more above
            </button>
            <button
              type="button"
              class="link-button"
              disabled={!widened(line, draft, 'below')}
              onClick={() => widen('below')}
            >
              one more below
            </button>
          </>
        )}
        {!line && <span class="cut">of {visible(draft.path)}, which are not shown now</span>}
      </p>
      <textarea
        ref={field}
        rows={3}
        maxLength={20_000}
        aria-label={`Comment on ${linesText(draft)}`}
        placeholder="What should be different here?"
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          drafts.write(key, value);
        }}
      />
      <div class="comment-acts">
        <button type="submit" class="button primary" disabled={isEmpty || comments.isBusy}>
          {draft.comment === undefined ? 'Add comment' : 'Change comment'}
        </button>
        <button type="button" class="button quiet" onClick={close}>
          {isEmpty ? 'Close' : 'Discard'}
        </button>
      </div>
    </form>
  );
}

/** So that keys lead on from there. */
function backToLines(): void {
  document.querySelector<HTMLElement>('.review-list')?.focus({ preventScroll: true });
}
