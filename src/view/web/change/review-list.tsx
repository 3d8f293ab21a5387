/** The lines of a review; however many there are, only those in sight exist. The head of the file that is read stays in sight. */
import { useStore } from '@nanostores/preact';
import { type ComponentChild, Fragment } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Virtualizer } from 'virtua';
import { isQuestionOpen, isTyping } from '../state/key.js';
import { CommentBox } from './comment-box.js';
import { CommentView } from './comment-view.js';
import { FileHead } from './file-head.js';
import type { ListRow } from './line-row.js';
import { LineView, PairView } from './line-view.js';
import { PartHead } from './part-head.js';
import type { ReviewFile } from './review-file.js';
import type { Seen } from './seen.js';
import type { Wish } from './take-back.js';
import { TalkContext, type Talking } from './talk.js';
import type { Makers } from './use-makers.js';
import { fileAt, type ReviewPlace } from './use-review-place.js';
import './file.css';

interface Props {
  session: string;
  place: ReviewPlace;
  seen: Seen;
  makers: Makers;
  /** Absent where nothing can be commented. */
  talking: Talking | undefined;
  onTakeBack: ((wish: Wish) => void) | undefined;
}

export function ReviewList({ session, place, seen, makers, talking, onTakeBack }: Props) {
  const scroller = useRef<HTMLElement>(null);
  const { rows, list } = place;
  const newest = useRef(talking);
  newest.current = talking;
  // The same object all the time: lines are not drawn again because somebody writes.
  const talk = useMemo(
    () => ({
      get current() {
        return newest.current as Talking;
      },
    }),
    [],
  );
  useKeys(place, talking);
  useEffect(() => {
    if (rows.some(({ kind }) => kind === 'line' || kind === 'pair')) performance.mark('review-lines');
    if (rows.every(({ file }) => file.parts !== undefined)) performance.mark('review-whole');
  }, [rows]);
  const headOf = (file: ReviewFile) => (
    <FileHead
      file={file}
      isFolded={place.isFolded(file)}
      isSeen={seen.isSeen(file)}
      onFold={() => place.fold(file)}
      onSeen={() => place.toggleSeen(file)}
      onTakeBack={onTakeBack && isBackable(file) ? () => onTakeBack({ path: file.path }) : undefined}
    />
  );
  const drawn = (row: ListRow) => {
    switch (row.kind) {
      case 'file':
        return headOf(row.file);
      case 'part':
        return (
          <PartHead
            session={session}
            file={row.file}
            part={row.part}
            position={row.position}
            makers={makers}
            onTakeBack={
              onTakeBack && row.file.state === 'as-left'
                ? () => onTakeBack({ path: row.file.path, part: { position: row.position, shown: row.part } })
                : undefined
            }
          />
        );
      case 'line':
        return <LineView line={row.line} />;
      case 'pair':
        return <PairView left={row.left} right={row.right} />;
      case 'talk':
        return row.talk.draft && talking ? (
          <CommentBox draft={row.talk.draft} line={row.line} talking={talking} />
        ) : (
          row.talk.comment && <CommentView comment={row.talk.comment} talking={talking} />
        );
      case 'note':
        return <p class="review-note">{row.text}</p>;
    }
  };
  return (
    <div class="review-frame">
      <StuckHead place={place} drawn={headOf} />
      <section
        ref={scroller}
        class="review-list"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
        tabIndex={0}
        aria-label="Lines"
        aria-keyshortcuts="n p Shift+J Shift+K v j k c"
      >
        <TalkContext.Provider value={talking && talk}>
          <Virtualizer
            ref={list}
            data={rows}
            scrollRef={scroller}
            itemSize={21}
            // Where one jumps, all of it is drawn at once.
            bufferSize={120}
            onScroll={place.onScroll}
          >
            {(row: ListRow) => <Fragment key={row.key}>{drawn(row)}</Fragment>}
          </Virtualizer>
        </TalkContext.Provider>
      </section>
    </div>
  );
}

/** The head of the file whose lines are read, when it is above them. */
function StuckHead({ place, drawn }: { place: ReviewPlace; drawn: (file: ReviewFile) => ComponentChild }) {
  const top = useStore(place.$top);
  const file = top.isInside ? fileAt(place.files, top) : undefined;
  return file ? <div class="file-head-stuck">{drawn(file)}</div> : null;
}

function isBackable({ state }: ReviewFile): boolean {
  return state === 'as-left' || state === 'changed-since';
}

/** n and p lead to parts, J and K to files, j and k to lines, c comments on one; v says that the file was seen. */
function useKeys(place: ReviewPlace, talking: Talking | undefined): void {
  const newest = useRef({ ...place, talking });
  newest.current = { ...place, talking };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || isQuestionOpen() || event.ctrlKey || event.metaKey || event.altKey) return;
      const { step, current, toggleSeen, lineInSight, talking: now } = newest.current;
      const act: Record<string, () => void> = {
        n: () => step('part', 1),
        p: () => step('part', -1),
        J: () => step('file', 1),
        K: () => step('file', -1),
        j: () => stepLine(1),
        k: () => stepLine(-1),
        c: () => {
          const focused = focusedLine();
          const line = lineInSight();
          if (focused) focused.click();
          else if (line) now?.choose(line, false);
        },
        v: () => {
          const file = current();
          if (file && !event.repeat) toggleSeen(file);
        },
      };
      const chosen = Object.hasOwn(act, event.key) ? act[event.key] : undefined;
      if (!chosen) return;
      event.preventDefault();
      chosen();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

function focusedLine(): HTMLElement | undefined {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && activeElement.matches('.line-comment') ? activeElement : undefined;
}

/** The focus is what shows which line is meant, also to who does not see it. */
function stepLine(by: 1 | -1): void {
  const list = document.querySelector('.review-list');
  const all = [...(list?.querySelectorAll<HTMLElement>('.line-comment') ?? [])];
  const focused = focusedLine();
  const top = list?.getBoundingClientRect().top ?? 0;
  const next = focused
    ? all[all.indexOf(focused) + by]
    : all.find((one) => one.getBoundingClientRect().top >= top + HEAD_HEIGHT);
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
}

/** The head of a file stays above the lines. */
const HEAD_HEIGHT = 44;
