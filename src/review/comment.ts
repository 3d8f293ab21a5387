/** What a person says to lines of a session's changes. */

export interface CommentPlace {
  /** From the top of the folder. */
  path: string;
  /** `old`: lines that went. */
  side: 'new' | 'old';
  /** Numbers of lines on that side, both within. */
  start: number;
  end: number;
  /** The lines as they were shown, each with its sign. */
  quote: readonly string[];
}

export interface ReviewComment extends CommentPlace {
  id: string;
  /** The last run whose changes were looked at. */
  runId: string;
  /** The last turn of the session that was looked at. */
  turn: number;
  /** The files of which the numbers are, as a commit of ours. */
  commit: string;
  text: string;
  /** Ms since the epoch. */
  at: number;
  /** When its agent was told; absent while it is pending. */
  sentAt?: number;
}

/** `unchanged`: they stand there as they were, or are still away; `gone`: none of them is left; `unknown`: nobody can compare them. */
export type CommentState = 'unchanged' | 'changed' | 'gone' | 'unknown';

/** `src/a.ts, lines 3 to 5`. */
export function placeText({ path, side, start, end }: Omit<CommentPlace, 'quote'>): string {
  const lines = start === end ? `line ${start}` : `lines ${start} to ${end}`;
  return `${path}, ${side === 'old' ? 'removed ' : ''}${lines}`;
}
