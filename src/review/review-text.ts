/**
 * The changes of a session as a text in which lines can be commented, and back: a line that begins with `>` belongs to the line above it, `>3` to the
 * three lines above it. Whole files may be taken out; all else must stay, so that a comment never slips to another line.
 */
import { type DifferenceHunk, replaceHostile } from '../event/index.js';
import type { CommentPlace, ReviewComment } from './comment.js';

export interface ReviewFileLines {
  path: string;
  hunks: readonly DifferenceHunk[];
}

export interface Written extends CommentPlace {
  text: string;
}

const FILE = '=== ';

/** Nothing that moves a cursor or hides text comes to an editor or a terminal. */
const shown = (line: string): string => replaceHostile(line, '\ufffd').trimEnd();
const headOf = (path: string): string => shown(FILE + path.replace(/\s+/g, ' '));

/** One line of a file's part of the text. */
interface TextRow {
  text: string;
  old?: number;
  new?: number;
}

function rowsOf({ path, hunks }: ReviewFileLines): TextRow[] {
  const rows: TextRow[] = [{ text: headOf(path) }];
  for (const { oldStart, newStart, lines } of hunks) {
    rows.push({ text: `@@ line ${oldStart} became line ${newStart} @@` });
    let [old, now] = [oldStart, newStart];
    for (const line of lines) {
      const sign = line.charAt(0);
      if (sign !== ' ' && sign !== '+' && sign !== '-') continue;
      rows.push({ text: shown(line), ...(sign !== '+' && { old }), ...(sign !== '-' && { new: now }) });
      if (sign !== '+') old += 1;
      if (sign !== '-') now += 1;
    }
  }
  return rows;
}

/** `head`: remarks above it. Comments whose lines are there are put below them. */
export function reviewText(
  files: readonly ReviewFileLines[],
  pending: readonly Pick<ReviewComment, 'path' | 'side' | 'start' | 'end' | 'text'>[],
  head: readonly string[],
): string {
  const out = [...head, ...HOW].map((line) => `# ${line}`.trimEnd());
  for (const file of files) {
    out.push('');
    const own = pending.filter(({ path }) => path === file.path);
    for (const row of rowsOf(file)) {
      out.push(row.text);
      for (const { side, start, end, text } of own) {
        if (row[side] !== end || (side === 'old' && row.new !== undefined)) continue;
        const [first = '', ...more] = text.split('\n');
        const count = end - start + 1;
        out.push(`>${count > 1 ? count : ''} ${first}`.trimEnd(), ...more.map((line) => `> ${line}`.trimEnd()));
      }
    }
  }
  return `${out.join('\n')}\n`;
}

const HOW = [
  'Write below a line what you think of it: a line that begins with > belongs to the line above it,',
  '>3 to the three lines above it; more lines that begin with > go on with it.',
  'Files that you have nothing to say to may be taken out, whole. All other lines stay as they are.',
  'Save and close: what will be sent is shown first. Without a comment nothing is sent.',
];

/** Throws a sentence, as an error, that says what does not fit and where. */
export function readReviewText(text: string, files: readonly ReviewFileLines[]): Written[] {
  const byName = new Map(files.map((file) => [headOf(file.path), file]));
  const found: Written[] = [];
  let file: { path: string; rows: TextRow[]; at: number } | undefined;
  let open: Written | undefined;
  const finish = (number: number) => {
    // Empty lines at the end are what editors take away.
    if (file?.rows.slice(file.at).some((row) => row.text !== '')) throw changed(file.path, number);
  };
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    if (line.startsWith('>')) {
      if (open && !/^>\d/.test(line)) open.text += `\n${said(line)}`;
      else {
        open = file && begun(file, line, number);
        if (!open) throw new Error(`Line ${number}: a comment belongs below a line of a file.`);
        found.push(open);
      }
      continue;
    }
    open = undefined;
    const plain = line.trimEnd();
    const other = byName.get(plain);
    if (other && (!file || file.at >= file.rows.length || plain !== file.rows[file.at]?.text)) {
      finish(number);
      file = { path: other.path, rows: rowsOf(other), at: 1 };
    } else if (file && file.at < file.rows.length && plain === file.rows[file.at]?.text) file.at += 1;
    else if (plain !== '' && !plain.startsWith('#')) {
      throw file
        ? changed(file.path, number)
        : new Error(`Line ${number} is no line of the changes. Comments begin with >.`);
    } else if (plain === '' && file && file.at < file.rows.length) {
      // An editor that takes blanks away at the end leaves nothing of an empty line.
      if (file.rows[file.at]?.text.trim() === '') file.at += 1;
    }
  }
  finish(lines.length);
  return found.flatMap((comment) => (comment.text.trim() === '' ? [] : [{ ...comment, text: comment.text.trim() }]));
}

const changed = (path: string, number: number): Error =>
  new Error(
    `Line ${number}: the lines of ${path} are not as they were. Comments begin with >; leave the other lines, or take out the whole file.`,
  );

const said = (line: string): string => line.replace(/^>\d{0,4} ?/, '');

function begun(
  { path, rows, at }: { path: string; rows: TextRow[]; at: number },
  line: string,
  number: number,
): Written {
  const count = Number(/^>(\d{1,4})/.exec(line)?.[1] ?? 1);
  const meant = rows.slice(Math.max(0, at - count), at);
  const isWhole =
    count > 0 && meant.length === count && meant.every((row) => row.old !== undefined || row.new !== undefined);
  if (!isWhole) throw new Error(`Line ${number}: above it there are no ${count} lines of one part.`);
  const side = meant.some((row) => row.new !== undefined) ? 'new' : 'old';
  const numbers = meant.flatMap((row) => row[side] ?? []);
  const quote = meant.map((row) => row.text);
  return { path, side, start: numbers[0] ?? 0, end: numbers.at(-1) ?? 0, quote, text: said(line) };
}
