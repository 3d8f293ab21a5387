/** The conversation as a list of which only the visible part exists. It stays at its end until the reader scrolls up. */
import { useStore } from '@nanostores/preact';
import { ArrowDown } from 'lucide-preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Virtualizer } from 'virtua';
import { type Row, type Run, type SessionState, selectConversation } from '../../../session/index.js';
import { $folds, childrenKey } from '../state/fold.js';
import { paced } from '../state/pace.js';
import { useStickToEnd } from '../state/use-stick-to-end.js';
import { ConversationRow } from './conversation-row.js';
import { Loading } from './notice.js';

export function Conversation({ state, isLoading }: { state: SessionState; isLoading: boolean }) {
  const folds = useStore($folds);
  const rows = useMemo(
    () =>
      paced(() => selectConversation(state, { isFolded: (tool) => folds[childrenKey(tool)] !== true }).filter(isShown)),
    [state, folds],
  );
  const hasRows = rows.length > 0;
  const scroller = useRef<HTMLDivElement>(null);
  const { isAtEnd, toEnd } = useStickToEnd(scroller, rows);
  useEffect(() => {
    if (hasRows) performance.mark('first-rows');
  }, [hasRows]);
  if (rows.length === 0) return isLoading ? <Loading text="Loading the conversation" /> : <Loading text="Starting" />;
  return (
    <div class="conversation-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard */}
      <section class="conversation" ref={scroller} tabIndex={0} aria-label="Conversation">
        <Virtualizer data={rows} scrollRef={scroller} bufferSize={300}>
          {(row: Row) => <ConversationRow key={row.key} row={row} state={row.kind === 'tool' ? state : undefined} />}
        </Virtualizer>
      </section>
      {!isAtEnd && (
        <button type="button" class="button jump" onClick={toEnd}>
          <ArrowDown size={16} aria-hidden="true" /> Newest
        </button>
      )}
    </div>
  );
}

/** Answered approvals are told by their tool, and hooks that went well by nothing. */
function isShown(row: Row): boolean {
  switch (row.kind) {
    case 'approval':
      return (
        row.content.status !== 'pending' &&
        (row.content.tool === undefined || row.content.resolution?.message !== undefined)
      );
    case 'hook':
      return row.content.end !== undefined && row.content.end.outcome !== 'ok';
    case 'thinking':
      return row.content.retracted === undefined;
    case 'text':
      return row.content.retracted === undefined && row.content.text !== '';
    case 'user':
      return row.content.synthetic !== true;
    case 'run':
      return isRunEndShown(row.content.end);
    case 'event':
      return (
        row.content.type !== 'session-change' && !(row.content.type === 'rate-limit' && row.content.state === 'allowed')
      );
    default:
      return true;
  }
}

/** A failure was already told by the turn that failed. */
function isRunEndShown(end: Run['end']): boolean {
  return end !== undefined && end.reason !== 'finished' && !(end.reason === 'failed' && end.turns > 0);
}
