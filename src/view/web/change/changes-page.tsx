/** All changes of a session as one difference to be reviewed. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { SessionRecord } from '../../../client/index.js';
import type { SessionState } from '../../../session/index.js';
import { Loading, Notice } from '../component/part/notice.js';
import './change.css';
import { useStore } from '@nanostores/preact';
import { keptChoice } from '../state/kept-choice.js';
import { client, messageOf } from '../state/server.js';
import { useMedia } from '../state/use-media.js';
import { visible } from '../text/visible.js';
import { $opened } from './comment-box.js';
import { chosenPlace } from './comment-place.js';
import { CommentTray } from './comment-tray.js';
import { Coverage } from './coverage.js';
import { type Draft, useDrafts } from './drafts.js';
import { inTreeOrder } from './file-tree.js';
import { FileTree } from './file-tree-view.js';
import { type Line, unplaced } from './line-row.js';
import { editors, recordedFiles } from './recorded.js';
import { type Narrowed, ReviewBar } from './review-bar.js';
import type { ReviewFile } from './review-file.js';
import { ReviewList } from './review-list.js';
import { useSeenFiles } from './seen.js';
import { TakeBack, type Wish } from './take-back.js';
import { TakeBackTurn } from './take-back-turn.js';
import { type Talking, talksOf } from './talk.js';
import { useComments } from './use-comments.js';
import { useKeptChanges } from './use-kept-changes.js';
import { useLook } from './use-look.js';
import { useMakers } from './use-makers.js';
import { useReviewPlace } from './use-review-place.js';

const $layout = keptChoice('review layout', ['unified', 'split'] as const, 'unified');

interface Props {
  record: SessionRecord;
  state: SessionState;
  /** All events of it are here. */
  isWhole: boolean;
  isReadOnly: boolean;
}

export default function ChangesPage({ record: { id, state: doing }, state, isWhole, isReadOnly }: Props) {
  const [narrowed, setNarrowed] = useState<Narrowed>({});
  const [wish, setWish] = useState<Wish>();
  const [isTurnAsked, setTurnAsked] = useState(false);
  const [done, setDone] = useState<{ text: string; canUndo: boolean }>();
  const [isTreeOpen, setTreeOpen] = useState(false);
  const layout = useStore($layout);
  const isWide = useMedia('(min-width: 1100px)');
  const { look, again } = useLook(state);
  const isTold = narrowed.thread !== undefined;
  const kept = useKeptChanges(id, narrowed.turn, look, !isTold);
  const told = useMemo(
    () => (isWhole && (isTold || kept.refusal !== '') ? recordedFiles(state, narrowed) : undefined),
    [isWhole, isTold, kept.refusal, state, narrowed],
  );
  const isKept = !isTold && kept.changes !== undefined;
  const files = useMemo(() => inTreeOrder(isKept ? kept.files : (told ?? [])), [isKept, kept.files, told]);
  const seen = useSeenFiles(id);
  const drafts = useDrafts(id);
  const comments = useComments(id, look, isKept, drafts);
  const talks = useMemo(() => talksOf(comments.all, drafts.all), [comments.all, drafts.all]);
  const shownLayout = isWide ? layout : 'unified';
  const place = useReviewPlace({ files, seen, layout: shownLayout, onWant: kept.want, talks });
  const away = useMemo(() => unplaced(files, shownLayout, talks), [files, shownLayout, talks]);
  const makers = useMakers(id, narrowed.turn, files, isKept, state);
  const chosen = useRef<Line>();
  const choose = (line: Line, isWider: boolean) => {
    const from = isWider && chosen.current?.siblings === line.siblings ? chosen.current : line;
    const lines = chosenPlace(from, line);
    const path = line.piece.path;
    const { turn } = narrowed;
    const key = JSON.stringify([path, turn, from.at, from.old, from.new]);
    if (drafts.all.some((draft) => draft.key === key)) drafts.move(key, lines);
    else drafts.open({ key, path, ...lines, text: '', ...(turn !== undefined && { turn }) } satisfies Draft);
    chosen.current = from;
    $opened.set(key);
  };
  const talking: Talking = { comments, drafts, choose };
  const turns = useTurns(files, narrowed);

  if (!isKept && told === undefined) return <Loading text="Looking at the files" />;
  const canTakeBack = isKept && !isReadOnly;
  const missing = kept.changes?.missing ?? [];
  const firstKept =
    Array.from({ length: missing.length + 1 }, (_, index) => index + 1).find((turn) => !missing.includes(turn)) ?? 1;
  const moment = { turn: narrowed.turn ?? firstKept, before: true };
  const back = backWords(narrowed.turn, turns.at(-1));
  const onDone = (text: string) => {
    setWish(undefined);
    setTurnAsked(false);
    setDone({ text, canUndo: true });
    again();
  };
  const undo = () =>
    client.undoRewind(id).then(
      () => {
        setDone({ text: 'It is again as it was before.', canUndo: false });
        again();
      },
      (error: unknown) => setDone({ text: messageOf(error), canUndo: false }),
    );
  return (
    <section class="review" aria-label="Changes">
      <ReviewBar
        session={id}
        state={state}
        branch={isKept ? kept.changes?.branch : undefined}
        files={files}
        seen={files.filter(seen.isSeen).length}
        turns={turns}
        editors={isWhole ? editors(state) : []}
        narrowed={narrowed}
        onNarrow={setNarrowed}
        layout={layout}
        onLayout={(next) => $layout.set(next)}
        onTree={() => setTreeOpen(!isTreeOpen)}
        takeBack={canTakeBack && files.length > 0 ? { text: back.text, act: () => setTurnAsked(true) } : undefined}
      />
      <Coverage isTold={isTold} refusal={kept.refusal} missing={missing} more={kept.changes?.more ?? 0} />
      {kept.problem !== '' && !isTold && (
        <p class="review-done" role="alert">
          <span class="grow error-text">{visible(kept.problem)}</span>
          <button type="button" class="button" onClick={again}>
            Look again
          </button>
        </p>
      )}
      {done && (
        <p class="review-done" role="status">
          <span class="grow">{visible(done.text)}</span>
          {done.canUndo && (
            <button type="button" class="button" onClick={() => void undo()}>
              Undo
            </button>
          )}
        </p>
      )}
      {files.length === 0 ? (
        <Notice title={narrowed.turn === undefined && !isTold ? 'Nothing was changed' : 'Nothing was changed here'} />
      ) : (
        <div class="review-body" data-tree={isTreeOpen ? 'open' : undefined}>
          <FileTree
            place={place}
            seen={seen}
            onChoose={(file) => {
              setTreeOpen(false);
              place.goTo(file);
            }}
          />
          <ReviewList
            session={id}
            place={place}
            seen={seen}
            makers={makers}
            talking={canTakeBack ? talking : undefined}
            onTakeBack={canTakeBack ? setWish : undefined}
          />
        </div>
      )}
      {isKept && (
        <CommentTray
          session={id}
          isEnded={doing === 'ended'}
          isReadOnly={isReadOnly}
          talking={talking}
          talks={talks}
          unplaced={away}
          onGo={({ key }) => place.goToTalk(key)}
        />
      )}
      {wish && <TakeBack session={id} moment={moment} wish={wish} onClose={() => setWish(undefined)} onDone={onDone} />}
      {isTurnAsked && (
        <TakeBackTurn
          session={id}
          moment={moment}
          title={back.title}
          onClose={() => setTurnAsked(false)}
          onDone={onDone}
        />
      )}
    </section>
  );
}

/** What comes after a turn goes with it, and is named. */
function backWords(turn: number | undefined, last: number | undefined): { text: string; title: string } {
  if (turn === undefined) return { text: 'Take all back…', title: 'Take back all that this session changed?' };
  if (last === undefined || last <= turn) return { text: `Take turn ${turn} back…`, title: `Take turn ${turn} back?` };
  return { text: `Back to before turn ${turn}…`, title: `Take turns ${turn} to ${last} back?` };
}

/** Those that one can choose from, also while one is chosen. */
function useTurns(files: readonly ReviewFile[], { turn, thread }: Narrowed): readonly number[] {
  const [known, setKnown] = useState<readonly number[]>([]);
  const now = [...new Set(files.flatMap((file) => file.turns))].sort((one, other) => one - other);
  const isAll = turn === undefined && thread === undefined;
  if (isAll && now.join() !== known.join()) setKnown(now);
  return isAll ? now : known;
}
