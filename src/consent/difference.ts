/** How a file would change: its text as it is against its text as it would be. */
import type { Difference } from '../event/index.js';
import { hunksBetween } from './line-hunks.js';
import { readLines, type TextLines } from './text-lines.js';

/** `before` is absent for a file that does not exist, `after` for one that would be gone. */
export interface FileTexts {
  before: string | undefined;
  after: string | undefined;
}

export function differenceOf(path: string, { before, after }: FileTexts): Difference {
  const [old, now] = [readLines(before ?? ''), readLines(after ?? '')];
  const hunks = hunksBetween(old.lines, now.lines);
  const isThere = before !== undefined && after !== undefined;
  const remarks = isThere ? [...remarksOf(old, now), ...(before === after ? [NOTHING] : [])] : [];
  return {
    path,
    ...(before === undefined && after !== undefined && { created: true }),
    ...(before !== undefined && after === undefined && { deleted: true }),
    ...(remarks.length > 0 && { remarks }),
    hunks,
  };
}

const NOTHING = 'Nothing changes: the file already says this.';

/** What no line shows. */
function remarksOf(old: TextLines, now: TextLines): string[] {
  const turned = old.ending !== now.ending && old.ending !== 'none' && now.ending !== 'none';
  const isEmptied = now.lines.length === 0 || old.lines.length === 0;
  return [
    ...(turned ? [`Line endings change from ${old.ending} to ${now.ending}.`] : []),
    ...(old.endsWithNewline && !now.endsWithNewline && !isEmptied ? ['The newline at the end goes away.'] : []),
    ...(!old.endsWithNewline && now.endsWithNewline && !isEmptied ? ['A newline is added at the end.'] : []),
    ...(old.hasMark && !now.hasMark ? ['The byte order mark at the beginning goes away.'] : []),
    ...(!old.hasMark && now.hasMark ? ['A byte order mark is added at the beginning.'] : []),
  ];
}
