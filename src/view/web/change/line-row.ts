/** What the list of a review is made of: the head of each file, its parts and its lines, one below the other or side by side. */
import type { Row } from '../../../consent/index.js';
import { counted } from '../../../word/index.js';
import type { Part, ReviewFile } from './review-file.js';
import { lineOf, linesIn, type Talk } from './talk.js';

export type ListRow =
  | { kind: 'file'; key: string; file: ReviewFile }
  | { kind: 'part'; key: string; file: ReviewFile; part: Part; position: number }
  | { kind: 'line'; key: string; file: ReviewFile; line: Line }
  | { kind: 'pair'; key: string; file: ReviewFile; left: Line | undefined; right: Line | undefined }
  | { kind: 'talk'; key: string; file: ReviewFile; talk: Talk; line: Line }
  | { kind: 'note'; key: string; file: ReviewFile; text: string };

/** A line, with what is needed to draw it when it comes into sight. */
export interface Line extends Row {
  /** The line that it replaces, or is replaced by. */
  partner?: Line;
  /** The lines that are coloured together, and its place among them. */
  piece: Piece;
  index: number;
  /** The lines of its part, and its place among them. */
  siblings: readonly Line[];
  at: number;
}

export interface Piece {
  path: string;
  lines: string[];
}

/** More at a time would hold up the page. */
const PIECE_LINES = 50;

export type Layout = 'unified' | 'split';

const known = { unified: new WeakMap<ReviewFile, ListRow[]>(), split: new WeakMap<ReviewFile, ListRow[]>() };

export function listRows(
  files: readonly ReviewFile[],
  layout: Layout,
  isFolded: (file: ReviewFile) => boolean,
  talks: readonly Talk[],
): ListRow[] {
  const rows: ListRow[] = [];
  const talksIn = new Map<string, Talk[]>();
  for (const talk of talks) talksIn.set(talk.path, [...(talksIn.get(talk.path) ?? []), talk]);
  for (const file of files) {
    const own = rowsOfFile(file, layout);
    if (isFolded(file)) rows.push(...own.slice(0, 1));
    else for (const row of withTalks(file, own, talksIn.get(file.path) ?? [])) rows.push(row);
  }
  return rows;
}

/** What is said to lines stands below the last of them. */
function withTalks(file: ReviewFile, own: ListRow[], talks: readonly Talk[]): ListRow[] {
  const said = new Map<Line, Talk[]>();
  for (const talk of talks) {
    const line = lineOf(file, own, talk);
    if (line) said.set(line, [...(said.get(line) ?? []), talk]);
  }
  if (said.size === 0) return own;
  return own.flatMap((row) => [
    row,
    ...linesIn(row).flatMap((line) => {
      const all = said.get(line) ?? [];
      // Beside each other, a line that stayed stands there twice.
      said.delete(line);
      return all.map((talk): ListRow => ({ kind: 'talk', key: `talk ${talk.key}`, file, talk, line }));
    }),
  ]);
}

/** Those whose lines are not shown. */
export function unplaced(files: readonly ReviewFile[], layout: Layout, talks: readonly Talk[]): Talk[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return talks.filter((talk) => {
    const file = byPath.get(talk.path);
    return !file || !lineOf(file, rowsOfFile(file, layout), talk);
  });
}

function rowsOfFile(file: ReviewFile, layout: Layout): ListRow[] {
  const before = known[layout].get(file);
  if (before) return before;
  const rows = [...makeRows(file, layout)];
  known[layout].set(file, rows);
  return rows;
}

function* makeRows(file: ReviewFile, layout: Layout): Generator<ListRow> {
  const { path, parts, cut, state } = file;
  yield { kind: 'file', key: path, file };
  const note = (text: string, name: string): ListRow => ({ kind: 'note', key: `${path} ${name}`, file, text });
  if (parts === undefined) return yield note('Loading its lines', 'loading');
  if (parts.every(({ rows }) => rows.length === 0) && state !== undefined)
    yield note('No lines to show: it is no text, or only its permissions or its name changed.', 'none');
  for (const [position, part] of parts.entries()) {
    yield { kind: 'part', key: `${path} ${position}`, file, part, position };
    const lines = linesOf(part, path);
    if (layout === 'unified') {
      for (const [index, line] of lines.entries())
        yield { kind: 'line', key: `${path} ${position}.${index}`, file, line };
    } else {
      for (const [index, [left, right]] of pairs(lines).entries())
        yield { kind: 'pair', key: `${path} ${position}.${index}`, file, left, right };
    }
  }
  if (cut > 0) yield note(`${counted(cut, 'more line')} of it are not shown.`, 'cut');
}

const linesKnown = new WeakMap<Part, Line[]>();

/** Made once; ahead of time by who has some. */
export function linesOf(part: Part, path: string): readonly Line[] {
  const before = linesKnown.get(part);
  if (before) return before;
  const made = makeLines(part, path);
  linesKnown.set(part, made);
  return made;
}

function makeLines({ rows }: Part, path: string): Line[] {
  const lines: Line[] = [];
  const pieces: Partial<Record<'old' | 'new', Piece>> = {};
  const place = (side: 'old' | 'new', text: string) => {
    let piece = pieces[side];
    if (!piece || piece.lines.length >= PIECE_LINES) piece = pieces[side] = { path, lines: [] };
    piece.lines.push(text);
    return { piece, index: piece.lines.length - 1 };
  };
  for (const row of rows) {
    const went = row.kind === 'add' ? undefined : place('old', row.text);
    const where = row.kind === 'remove' ? went : place('new', row.text);
    if (where) lines.push({ ...row, ...where, siblings: lines, at: lines.length });
  }
  for (const [removed, added] of replacements(lines)) {
    if (removed && added) [removed.partner, added.partner] = [added, removed];
  }
  return lines;
}

/** Lines that went and lines that came in their place, one by one. */
function* replacements(lines: readonly Line[]): Generator<[removed: Line | undefined, added: Line | undefined]> {
  let removed: Line[] = [];
  let added: Line[] = [];
  function* settle(): Generator<[Line | undefined, Line | undefined]> {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) yield [removed[at], added[at]];
    removed = [];
    added = [];
  }
  for (const line of lines) {
    if (line.kind === 'remove' && added.length > 0) yield* settle();
    if (line.kind === 'remove') removed.push(line);
    else if (line.kind === 'add') added.push(line);
    else {
      yield* settle();
      yield [line, line];
    }
  }
  yield* settle();
}

function pairs(lines: readonly Line[]): [Line | undefined, Line | undefined][] {
  return [...replacements(lines)];
}
