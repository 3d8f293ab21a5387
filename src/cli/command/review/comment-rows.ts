/** Comments of a session, pending and sent, and what became of their lines. */
import { formatAgo } from '../../../client/moment.js';
import { type CommentState, placeText, type ReviewComment } from '../../../review/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safe, safeLine } from '../../../view/text/safe.js';
import { type ColorChoice, wantsColor } from '../../print/color.js';

const STATES: Record<CommentState, string> = {
  unchanged: 'its lines are as they were',
  changed: 'its lines changed since',
  gone: 'its lines are gone',
  unknown: 'nobody can tell whether its lines changed',
};

export function commentRows(
  session: string,
  comments: readonly ReviewComment[],
  states: ReadonlyMap<string, CommentState>,
  { color }: { color: ColorChoice },
  { stdout, env }: NodeJS.Process,
): string[] {
  if (comments.length === 0)
    return [`There is no comment on ${session} yet. glassbox review ${session} opens its changes in your editor.`];
  const paint = createPaint(wantsColor(color, stdout, env));
  return comments.flatMap((comment) => [
    `${paint('heading', safeLine(placeText(comment), 200))}  ${paint('quiet', whenText(comment))}`,
    ...safe(comment.text)
      .split('\n')
      .map((line) => `  ${line}`),
    `  ${paint(states.get(comment.id) === 'unchanged' ? 'quiet' : 'notice', STATES[states.get(comment.id) ?? 'unknown'])}`,
  ]);
}

const whenText = ({ sentAt, at }: ReviewComment): string =>
  sentAt === undefined ? `not sent, written ${formatAgo(at)}` : `sent ${formatAgo(sentAt)}`;
