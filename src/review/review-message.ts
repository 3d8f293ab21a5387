/** All comments as the one message that the agent reads: path, lines, quoted code, and what is said to them. */
import { replaceHostile } from '../event/index.js';
import { counted, shorten } from '../word/index.js';
import { placeText, type ReviewComment } from './comment.js';

const MOST_QUOTED = 30;
const LONGEST_LINE = 300;

type Said = Pick<ReviewComment, 'path' | 'side' | 'start' | 'end' | 'quote' | 'text' | 'turn'>;

/** In the order of files and lines. */
export function reviewMessage(comments: readonly Said[]): string {
  const ordered = [...comments].sort((one, other) =>
    one.path === other.path ? one.start - other.start : one.path < other.path ? -1 : 1,
  );
  const last = Math.max(0, ...comments.map(({ turn }) => turn));
  const head = `I reviewed your changes up to turn ${last} and have ${counted(comments.length, 'comment')}. Line numbers are those after that turn; the files may have changed since, so look first.`;
  const parts = ordered.map((comment, index) =>
    [`${index + 1}. ${placeText(comment)}`, fenced(comment.quote), comment.text.trim()].join('\n\n'),
  );
  return replaceHostile([head, ...parts].join('\n\n'), '\ufffd');
}

/** The fence is longer than any in the code. */
function fenced(quote: readonly string[]): string {
  const lines = quote.slice(0, MOST_QUOTED).map((line) => shorten(line, LONGEST_LINE));
  if (quote.length > lines.length) lines.push(`… ${counted(quote.length - lines.length, 'more line')}`);
  const longest = Math.max(2, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map((ticks) => ticks.length)));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}diff`, ...lines, fence].join('\n');
}
