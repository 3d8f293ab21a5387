/** What is asked and told about the files that sessions changed, and about the way back. */
import type { TurnChange } from '../checkpoint/index.js';
import type { DifferenceHunk } from '../event/index.js';

/** A turn of a session and what it did to the files. */
export interface SessionTurn {
  /** Over all runs of the session, from 1. */
  turn: number;
  runId: string;
  /** When it ended, ms since the epoch; absent where nothing is kept of it. */
  at?: number;
  /** It can be gone back to how this turn left the files. */
  isKept: boolean;
  /** It can be gone back to how the files were before it. */
  isKeptBefore: boolean;
  /** Which files it changed; absent is unknown. */
  changes?: TurnChange[];
  /** Why nothing is kept of it. */
  failed?: string;
}

export interface ChangesQuery {
  /** Only what this turn changed; default the whole session. */
  turn?: number | undefined;
  /** Sooner, without `state`, `commit` and `branch`: what the files are now is not looked at. */
  brief?: boolean | undefined;
}

export interface ChangeLinesQuery extends Omit<ChangesQuery, 'brief'> {
  /** The path to begin with; default the first. */
  from?: string | undefined;
  /** How many files, at most 200; default 50. */
  limit?: number | undefined;
}

/** The lines of one file that changed. */
export interface ChangedLines {
  path: string;
  /** None where it is no text. Their positions are those of `rewindHunks`, where the file is still as it was left. */
  hunks: DifferenceHunk[];
  /** So many lines are left out. */
  cut: number;
}

export interface ChangeLines {
  files: ChangedLines[];
  /** The path to go on with; absent at the end. */
  next?: string;
}

/** A moment of a session. */
export interface RewindQuery {
  /** As this turn left the files; 0 is before the first. */
  turn: number;
  /** As they were before that turn. */
  before?: boolean | undefined;
}

export interface RewindHunkQuery extends RewindQuery {
  path: string;
}

export interface RewindRequest extends RewindQuery {
  /** Of the plan that was shown: when the files are others by now, nothing is done (409). */
  fingerprint: string;
  /** Only these files; default all of the plan. */
  paths?: string[] | undefined;
  /** Of these files only some hunks, by their positions. */
  hunks?: Record<string, number[]> | undefined;
  /** The conversation stays where it is, as it does when only some files go back. */
  filesOnly?: boolean | undefined;
}
