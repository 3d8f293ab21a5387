/** What stands between the lines: comments, and those that are being written. */
import { createContext } from 'preact';
import type { CommentRecord } from '../../../client/index.js';
import { isAt } from './comment-place.js';
import type { Draft, Drafts } from './drafts.js';
import type { Line, ListRow } from './line-row.js';
import type { ReviewFile } from './review-file.js';
import type { Comments } from './use-comments.js';

export interface Talk {
  key: string;
  path: string;
  comment?: CommentRecord | undefined;
  draft?: Draft | undefined;
}

/** What lines and boxes do. */
export interface Talking {
  comments: Comments;
  drafts: Drafts;
  /** `isWider`: as far as this line, from the one that was chosen last. */
  choose(line: Line, isWider: boolean): void;
}

/** Absent where nothing can be commented. */
export const TalkContext = createContext<{ current: Talking } | undefined>(undefined);

/** One that is written anew takes the place of what it was. */
export function talksOf(comments: readonly CommentRecord[], drafts: readonly Draft[]): Talk[] {
  const anew = new Set(drafts.map(({ comment }) => comment));
  return [
    ...comments.filter(({ id }) => !anew.has(id)).map((comment) => ({ key: comment.id, path: comment.path, comment })),
    ...drafts.map((draft) => ({ key: draft.key, path: draft.path, draft })),
  ];
}

const placeOf = ({ comment, draft }: Talk) => comment ?? draft;

/** Where its lines stand among those of the file; undefined where they are no longer shown. */
export function lineOf(file: ReviewFile | undefined, rows: readonly ListRow[], talk: Talk): Line | undefined {
  const place = placeOf(talk);
  if (!file || !place) return undefined;
  for (const row of rows) for (const line of linesIn(row)) if (isAt(line, place)) return line;
  return undefined;
}

export function linesIn(row: ListRow): Line[] {
  if (row.kind === 'line') return [row.line];
  if (row.kind !== 'pair') return [];
  return [row.left, row.right].flatMap((line) => line ?? []);
}
