/** The rows of a diff, from hunks that the agent gave or from the two texts of an edit. Loaded when the first diff is shown. */
import { structuredPatch } from 'diff';

export interface DiffRow {
  kind: 'add' | 'remove' | 'same' | 'hunk';
  text: string;
}

const GIVE_UP_MS = 30;

export function rowsOfPatch(patch: string): DiffRow[] {
  // Only hunks are shown: a removed `-- note` looks like the name of a file in front of them.
  const lines = patch.slice(Math.max(0, patch.search(/^@@ /m))).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.filter((line) => !line.startsWith('\\')).map(rowOf);
}

export function rowsBetween(before: string, after: string): DiffRow[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, timeout: GIVE_UP_MS });
  if (patch === undefined) return [...rowsOf('remove', before), ...rowsOf('add', after)];
  return patch.hunks.flatMap(({ lines }, index): DiffRow[] => [
    ...(index > 0 ? [{ kind: 'hunk' as const, text: '⋯' }] : []),
    ...lines.filter((line) => !line.startsWith('\\')).map(rowOf),
  ]);
}

function rowOf(line: string): DiffRow {
  if (line.startsWith('@@')) return { kind: 'hunk', text: line };
  if (line.startsWith('+')) return { kind: 'add', text: line.slice(1) };
  if (line.startsWith('-')) return { kind: 'remove', text: line.slice(1) };
  return { kind: 'same', text: line.replace(/^ /, '') };
}

function rowsOf(kind: DiffRow['kind'], text: string): DiffRow[] {
  return text === '' ? [] : text.split('\n').map((line) => ({ kind, text: line }));
}
