/** How files would change by a call, against the files as they are. Who owns the agent reads them; this only compares. */
import type { Difference, Edit, Targets } from '../event/index.js';
import { applyEdit } from './apply-edit.js';
import { differenceOf, type FileTexts } from './difference.js';
import { hidesAdded, maskLines, type Redact } from './mask-lines.js';

/** A file as it is; `text` is absent when it does not exist, `id` is the same for every name of the same file. */
export type FileNow = { id: string; text: string | undefined } | { notShown: string };

export interface DifferenceOptions {
  readFile(path: string): FileNow;
  /** Applied to whole files. */
  redact: Redact;
}

export const MOST_FILES = 40;
/** Of all differences together: what nobody would read to its end is not worth carrying along. */
export const MOST_LINES = 4000;
export const MOST_CHARACTERS = 400_000;
/** Characters that are searched through for all edits together. */
const MOST_WORK = 30_000_000;

export interface Compared {
  differences: Difference[];
  /** What is withheld of the lines that would be added is more than a word of them. */
  hidesWords: boolean;
}

export function differencesOf({ edits = [], input }: Call, options: DifferenceOptions): Compared {
  const { readFile, redact } = options;
  const files = new Map<string, Changing>();
  const byPath = new Map<string, Changing>();
  let work = MOST_WORK;
  for (const edit of edits) {
    const { path } = edit;
    const file = byPath.get(path) ?? open(path, byPath.size < MOST_FILES ? readFile(path) : TOO_MANY, files);
    byPath.set(path, file);
    work -= file.after?.length ?? 0;
    if (work < 0) file.problem ??= 'too many edits of a long file';
    applyTo(file, edit, input);
  }
  const room = { lines: MOST_LINES, characters: MOST_CHARACTERS };
  const told = [...new Set(byPath.values())].map((file) => ({ file, ...tell(file, redact) }));
  // What is not compared is shown as it stands in the edits, which are found by the name that they have.
  const namesOf = (file: Changing) => [...byPath].flatMap(([name, one]) => (one === file ? [name] : []));
  const underNames = (file: Changing, difference: Difference) =>
    difference.notShown === undefined ? [difference] : namesOf(file).map((path) => ({ ...difference, path }));
  return {
    differences: told.flatMap(({ file, difference }) => underNames(file, withinRoom(difference, room))),
    hidesWords: told.some(({ hidesWords }) => hidesWords),
  };
}

type Call = Pick<Targets, 'edits'> & { input?: unknown };

const TOO_MANY: FileNow = { notShown: `it changes more than ${MOST_FILES} files` };

/** A file in the middle of its edits. */
interface Changing extends FileTexts {
  path: string;
  to?: string;
  problem?: string;
}

function open(path: string, now: FileNow, files: Map<string, Changing>): Changing {
  if ('notShown' in now) return { path, before: undefined, after: undefined, problem: now.notShown };
  const file = files.get(now.id) ?? { path, before: now.text, after: now.text };
  files.set(now.id, file);
  return file;
}

function applyTo(file: Changing, edit: Edit, input: unknown): void {
  if (edit.to !== undefined) file.to = edit.to;
  if (file.problem !== undefined) return;
  const applied = applyEdit(file.after, edit, input);
  if ('problem' in applied) file.problem = applied.problem;
  else file.after = applied.text;
}

function tell({ path, to, problem, ...texts }: Changing, redact: Redact): Told {
  if (problem !== undefined) return { difference: notShown(path, problem), hidesWords: false };
  if (to !== undefined && texts.before === texts.after)
    return { difference: { path, to, hunks: [] }, hidesWords: false };
  const { hunks, ...difference } = differenceOf(path, texts);
  const masked = maskLines(hunks, texts, redact);
  return {
    difference: { ...difference, ...(to !== undefined && { to }), hunks: masked },
    hidesWords: hidesAdded(hunks, masked),
  };
}

interface Told {
  difference: Difference;
  hidesWords: boolean;
}

function withinRoom(difference: Difference, room: { lines: number; characters: number }): Difference {
  const lines = difference.hunks.flatMap((hunk) => hunk.lines);
  const characters = lines.reduce((sum, line) => sum + line.length, 0);
  if (lines.length > room.lines || characters > room.characters) {
    return notShown(difference.path, `the difference is too long, ${lines.length} lines`);
  }
  room.lines -= lines.length;
  room.characters -= characters;
  return difference;
}

function notShown(path: string, why: string): Difference {
  return { path, notShown: why, hunks: [] };
}
