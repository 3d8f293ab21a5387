/** The head of a file: its name, what became of it, and what can be done with it. */
import { ChevronRight, Undo2 } from 'lucide-preact';
import { visible } from '../text/visible.js';
import { CHANGE_WORDS, type ReviewFile, STATE_WORDS } from './review-file.js';

interface Props {
  file: ReviewFile;
  isFolded: boolean;
  isSeen: boolean;
  onFold: () => void;
  onSeen: () => void;
  /** Absent where nothing can be taken back. */
  onTakeBack?: (() => void) | undefined;
}

export function FileHead({ file, isFolded, isSeen, onFold, onSeen, onTakeBack }: Props) {
  const { path, change, lines, state, commit, remarks } = file;
  return (
    <header class="file-head">
      <div class="file-head-line">
        <button type="button" class="file-name" aria-expanded={!isFolded} onClick={onFold}>
          <ChevronRight class="chevron" size={14} aria-hidden="true" />
          <span class="cut">
            <bdi dir="ltr">{visible(path)}</bdi>
          </span>
        </button>
        {CHANGE_WORDS[change] !== '' && <span class="chip">{CHANGE_WORDS[change]}</span>}
        {state && <span class={`file-state state-${state}`}>{STATE_WORDS[state]}</span>}
        {commit && (
          <span class="file-state" title={visible(commit.subject)}>
            committed in <code>{visible(commit.id.slice(0, 8))}</code>
          </span>
        )}
        <span class="grow" />
        {lines && (
          <span class="file-sum">
            <span class="added">+{lines.added}</span> <span class="removed">−{lines.removed}</span>
          </span>
        )}
        {onTakeBack && (
          <button
            type="button"
            class="icon-button"
            aria-label={`Take back ${visible(path)}…`}
            title="Take it back…"
            onClick={onTakeBack}
          >
            <Undo2 size={16} aria-hidden="true" />
          </button>
        )}
        <label class="file-seen">
          <input type="checkbox" checked={isSeen} aria-label={`Seen: ${visible(path)}`} onChange={onSeen} /> Seen
        </label>
      </div>
      {remarks.length > 0 && <p class="file-remark">{visible(remarks.join(' '))}</p>}
    </header>
  );
}
