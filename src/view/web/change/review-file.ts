/** A file of a review, wherever it is known from: kept files, or the edits that the agent told. */
import type { SessionFile } from '../../../client/index.js';
import type { Row } from '../../../consent/index.js';

export interface ReviewFile {
  path: string;
  change: SessionFile['change'] | 'moved';
  lines?: { added: number; removed: number } | undefined;
  turns: readonly number[];
  /** Absent: what the file is now is not known. */
  state?: SessionFile['state'] | undefined;
  commit?: SessionFile['commit'] | undefined;
  /** What else a reader must know of it. */
  remarks: readonly string[];
  /** Names what there is to be seen: a mark "seen" holds for this version only. */
  version: string;
  /** Absent while it is not loaded. */
  parts?: readonly Part[] | undefined;
  /** So many lines are left out. */
  cut: number;
}

/** Lines that stand together. */
export interface Part {
  /** In words, where it is no place in the file. */
  title?: string | undefined;
  /** Key of the row in the conversation that made it. */
  row?: string | undefined;
  rows: readonly Row[];
}

export const STATE_WORDS: Record<NonNullable<SessionFile['state']>, string> = {
  'as-left': 'as the agent left it',
  'changed-since': 'changed since',
  reverted: 'reverted',
  'under-way': 'in work',
};

export const CHANGE_WORDS: Record<ReviewFile['change'], string> = {
  added: 'new',
  deleted: 'deleted',
  changed: '',
  moved: 'moved',
};
