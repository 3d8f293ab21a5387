/** What is asked and told about the review of a session's changes: who made them, and what people say to their lines. */
import type { CommentPlace, CommentState, FileMakers, ReviewComment } from '../review/index.js';

export type { FileMakers };

/** Who made what a session changed. */
export interface ChangeMakers {
  files: FileMakers[];
  /** The path to go on with; absent at the end. */
  next?: string;
}

/** A comment, and whether its lines changed since. */
export interface CommentRecord extends ReviewComment {
  state: CommentState;
}

/** What is said to lines as they were shown: when they are others by now, nothing is kept (409). */
export interface CommentRequest extends Omit<CommentPlace, 'quote'> {
  /** The lines, each with its sign. */
  quote: string[];
  text: string;
  /** The turn of which the changes were looked at; default the whole session. */
  turn?: number | undefined;
}

export interface CommentChange {
  text: string;
}

export interface SendCommentsRequest {
  /** The ids of those that were shown to who sends them. */
  comments: string[];
}

export interface CommentsSent {
  /** The run that heard it, and its session. */
  runId: string;
  session: string;
  /** So many comments were in the message. */
  count: number;
}
