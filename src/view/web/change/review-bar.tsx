/** Above a review: what it holds in one line, and what it is narrowed to. */
import { PanelLeft, Undo2 } from 'lucide-preact';
import type { SessionState } from '../../../session/index.js';
import { counted } from '../../../word/index.js';
import { placePath } from '../state/route.js';
import { visible } from '../text/visible.js';
import { commandAfterEdit } from './after-edit.js';
import type { Layout } from './line-row.js';
import { type Chooser, turnPrompts } from './recorded.js';
import type { ReviewFile } from './review-file.js';

export interface Narrowed {
  turn?: number | undefined;
  thread?: number | undefined;
}

interface Props {
  session: string;
  state: SessionState;
  branch: string | undefined;
  files: readonly ReviewFile[];
  seen: number;
  turns: readonly number[];
  editors: readonly Chooser[];
  narrowed: Narrowed;
  onNarrow: (next: Narrowed) => void;
  layout: Layout;
  onLayout: (layout: Layout) => void;
  onTree: () => void;
  /** Absent where nothing can be taken back. */
  takeBack: { text: string; act: () => void } | undefined;
}

export function ReviewBar(props: Props) {
  const { session, state, branch, files, seen, turns, editors, narrowed, onNarrow, layout, onLayout, onTree } = props;
  const { takeBack } = props;
  const prompts = turnPrompts(state);
  const sum = (side: 'added' | 'removed') => files.reduce((all, { lines }) => all + (lines?.[side] ?? 0), 0);
  return (
    <div class="review-bar">
      <button type="button" class="icon-button tree-toggle" aria-label="Files" title="Files" onClick={onTree}>
        <PanelLeft size={16} aria-hidden="true" />
      </button>
      <p class="review-facts">
        {branch && <code>{visible(branch)}</code>}
        <span>{counted(files.length, 'file')}</span>
        <span>
          <span class="added">+{sum('added').toLocaleString('en')}</span>{' '}
          <span class="removed">−{sum('removed').toLocaleString('en')}</span>
        </span>
        {files.length > 0 && (
          <span>
            {seen} of {files.length} seen
          </span>
        )}
        <AfterEdit session={session} state={state} />
      </p>
      <div class="review-choices">
        {turns.length > 1 && (
          <select
            aria-label="Turn"
            value={narrowed.turn ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onNarrow({ ...narrowed, turn: value === '' ? undefined : Number(value) })
            }
          >
            <option value="">All turns</option>
            {turns.map((turn) => (
              <option key={turn} value={turn}>
                {visible(`Turn ${turn}${prompts.has(turn) ? `: ${firstWords(prompts.get(turn) ?? '')}` : ''}`)}
              </option>
            ))}
          </select>
        )}
        {editors.length > 0 && (
          <select
            aria-label="By whom"
            value={narrowed.thread ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onNarrow({ ...narrowed, thread: value === '' ? undefined : Number(value) })
            }
          >
            <option value="">By anybody</option>
            {editors.map(({ thread, name }) => (
              <option key={thread} value={thread}>
                {visible(firstWords(name))}
              </option>
            ))}
          </select>
        )}
        <button
          type="button"
          class="button quiet layout-toggle"
          aria-pressed={layout === 'split'}
          onClick={() => onLayout(layout === 'split' ? 'unified' : 'split')}
        >
          Side by side
        </button>
        {takeBack && (
          <button type="button" class="button quiet" onClick={takeBack.act}>
            <Undo2 size={14} aria-hidden="true" />
            {takeBack.text}
          </button>
        )}
      </div>
    </div>
  );
}

const WORDS: Partial<Record<string, string>> = {
  ok: 'succeeded',
  failed: 'failed',
  denied: 'was denied',
  running: 'runs',
};

function AfterEdit({ session, state }: { session: string; state: SessionState }) {
  const command = commandAfterEdit(state);
  if (command === undefined) return null;
  if (command === null) return <span>nothing was run after the last edit</span>;
  return (
    <span class="after-edit">
      after the last edit{' '}
      <a href={placePath(session, { row: command.row })}>
        <code>{visible(firstWords(command.text))}</code>
      </a>{' '}
      <span class={command.status === 'failed' ? 'removed' : ''}>{WORDS[command.status] ?? 'ended unseen'}</span>
    </span>
  );
}

function firstWords(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
