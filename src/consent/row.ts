/** The lines of a difference with the numbers that they have in the old and the new file, ready to be drawn. */
import type { DifferenceHunk } from '../event/index.js';

export interface Row {
  /** `gap`: lines that stay and are not shown. */
  kind: 'same' | 'add' | 'remove' | 'gap';
  /** Number in the old file, absent for a line that is new or has no known place. */
  old?: number;
  new?: number;
  text: string;
}

export function rowsOf(hunks: readonly DifferenceHunk[]): Row[] {
  return hunks.flatMap(({ oldStart, newStart, lines }, index) => {
    let [before, after] = [oldStart, newStart];
    const gap: Row[] = index > 0 ? [{ kind: 'gap', text: '' }] : [];
    const rows = lines.map((line): Row => {
      const text = line.slice(1);
      if (line.startsWith('+')) return { kind: 'add', new: after++, text };
      if (line.startsWith('-')) return { kind: 'remove', old: before++, text };
      return { kind: 'same', old: before++, new: after++, text };
    });
    return [...gap, ...rows];
  });
}

/** For texts whose place in the file is not known. */
export function looseRows(before: string | undefined, after: string | undefined): Row[] {
  return [...rowsWith('remove', before), ...rowsWith('add', after)];
}

function rowsWith(kind: Row['kind'], text: string | undefined): Row[] {
  if (text === undefined || text === '') return [];
  const lines = text.endsWith('\n') ? text.slice(0, -1) : text;
  return lines.split('\n').map((line) => ({ kind, text: line.replace(/\r$/, '') }));
}
