/** Which files a session changed, by path, and what became of each. */
import type { FileChangeKind } from '../../event/index.js';
import type { FileChange } from '../item.js';
import type { SessionState } from '../state.js';
import { values } from '../table/chunks.js';

export interface ChangedFile {
  /** Where it is now. */
  path: string;
  /** What the session did to it on the whole: a file that it made and then edited is a new one. */
  kind: FileChangeKind;
  /** Every change, in order. */
  changes: FileChange[];
}

/** In the order of their first change. A file that the session made and removed again is not listed. */
export function selectChangedFiles(state: SessionState): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const change of values(state.changes)) {
    const before = files.get(change.path);
    const path = change.to ?? change.path;
    const file = { path, kind: onTheWhole(before?.kind, change.kind), changes: before?.changes ?? [] };
    file.changes.push(change);
    if (path !== change.path) files.delete(change.path);
    files.set(path, file);
  }
  return [...files.values()].filter(({ changes, kind }) => !(kind === 'delete' && changes[0]?.kind === 'create'));
}

function onTheWhole(before: FileChangeKind | undefined, now: FileChangeKind): FileChangeKind {
  if (before === undefined || now === 'delete') return now;
  if (before === 'delete') return now === 'create' ? 'edit' : now;
  return before === 'create' || before === 'move' ? before : now;
}
