/** The conversation as a list of which only the visible part exists. It stays at its end until the reader scrolls up. */
import { useStore } from '@nanostores/preact';
import { ArrowDown } from 'lucide-preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { Row } from '../../../../session/index.js';
import { $folds, childrenKey } from '../../state/fold.js';
import { timeDrawing } from '../../state/main-thread.js';
import type { OpenSession } from '../../state/open-session.js';
import { rowsOf } from '../../state/rows.js';
import { useFound } from '../../state/use-found.js';
import { useHomeKey } from '../../state/use-home-key.js';
import { useNewCount } from '../../state/use-new-count.js';
import { useNewestRows } from '../../state/use-newest-rows.js';
import { useStickToEnd } from '../../state/use-stick-to-end.js';
import { Loading } from '../part/notice.js';
import { ConversationRow } from './conversation-row.js';
import { OpenQuestions } from './open-questions.js';

export function Conversation({ open, isAnswerable }: { open: OpenSession; isAnswerable: boolean }) {
  const { state, phase } = open;
  const folds = useStore($folds);
  const all = useMemo(
    () => timeDrawing(() => rowsOf(state, (tool) => folds[childrenKey(tool)] !== true)),
    [state, folds],
  );
  const { rows, hasGrownInFront, isWhole } = useNewestRows(all, phase);
  const hasRows = rows.length > 0;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const { isAtEnd, toEnd, letGo } = useStickToEnd(scroller, rows);
  const fresh = useNewCount(rows.length, isAtEnd);
  const found = useFound({ open, rows, isWhole, scroller, list, letGo });
  const onKeyDown = useHomeKey({ list, isWhole: isWhole && phase === 'ready', letGo });
  useEffect(() => {
    if (hasRows) performance.mark(`rows-${phase}`);
  }, [hasRows, phase]);
  if (!hasRows) return <Loading text={phase === 'loading' ? 'Loading the conversation' : 'Starting'} />;
  return (
    <div class="conversation-frame">
      <section
        class="conversation"
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
        tabIndex={0}
        aria-label="Conversation"
        data-scroller
        onKeyDown={onKeyDown}
      >
        <div class="conversation-content">
          <Virtualizer ref={list} data={rows} scrollRef={scroller} bufferSize={200} shift={hasGrownInFront}>
            {(row: Row) => (
              <ConversationRow
                key={row.key}
                row={row}
                isFound={row.key === found?.key}
                state={row.kind === 'tool' || row.kind === 'turn' ? state : undefined}
              />
            )}
          </Virtualizer>
          {isAnswerable && <OpenQuestions session={open.id} state={state} />}
        </div>
      </section>
      {phase === 'tail' && (
        <p class="tail" role="status">
          <span class="spinner small" aria-hidden="true" /> Loading what came before
        </p>
      )}
      {!isAtEnd && (
        <button type="button" class="button jump" onClick={toEnd}>
          <ArrowDown size={16} aria-hidden="true" /> {fresh > 0 ? `${fresh} new` : 'Newest'}
        </button>
      )}
    </div>
  );
}
