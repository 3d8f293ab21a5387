/** A comment: what was said, whether it was sent, and whether its lines changed since. */
import type { CommentRecord } from '../../../client/index.js';
import { formatAgo } from '../../../client/moment.js';
import { visible } from '../text/visible.js';
import { $opened } from './comment-box.js';
import { beginning, linesText } from './comment-place.js';
import type { Talking } from './talk.js';

interface Props {
  comment: CommentRecord;
  /** Absent where nothing can be changed. */
  talking?: Talking | undefined;
  /** Says also where it stands, and leads there where it is shown. */
  isInTray?: boolean;
  onGo?: (() => void) | undefined;
}

const STATES: Record<CommentRecord['state'], string> = {
  unchanged: 'its lines are as they were',
  changed: 'its lines changed since',
  gone: 'its lines are gone',
  unknown: 'nobody can tell whether its lines changed',
};

export function CommentView({ comment, talking, isInTray, onGo }: Props) {
  const { id, path, text, sentAt, state, quote } = comment;
  const place = `${visible(path)}, ${linesText(comment)}`;
  const isSent = sentAt !== undefined;
  const edit = () => {
    talking?.drafts.open({ ...comment, key: id, comment: id, quote: [...quote] });
    $opened.set(id);
    onGo?.();
  };
  return (
    <article class="comment" aria-label={`Comment on ${place}`}>
      <p class="comment-place">
        {isInTray &&
          (onGo ? (
            <button type="button" class="link-button cut" onClick={onGo}>
              <bdi dir="ltr">{place}</bdi>
            </button>
          ) : (
            <span class="cut">
              <bdi dir="ltr">{place}</bdi>
            </span>
          ))}
        {!isInTray && <span>{beginning(linesText(comment))}</span>}
        <span class="faint">{isSent ? `sent ${formatAgo(sentAt)}` : 'not sent'}</span>
        {(isSent || state !== 'unchanged') && <span class={`comment-state state-${state}`}>{STATES[state]}</span>}
      </p>
      {isInTray && !onGo && <pre class="comment-quote">{visible(quote.slice(0, 6).join('\n'))}</pre>}
      <p class="comment-text">{visible(text)}</p>
      {!isSent && talking && (
        <div class="comment-acts">
          <button type="button" class="button quiet" onClick={edit}>
            Edit
          </button>
          <button
            type="button"
            class="button quiet"
            disabled={talking.comments.isBusy}
            onClick={() => void talking.comments.remove(comment)}
          >
            Delete
          </button>
        </div>
      )}
    </article>
  );
}
