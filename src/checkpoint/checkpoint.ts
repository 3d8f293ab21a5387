/** What is known of the files that a run worked on, before and after each of its turns. */

/** Why a file is not in a checkpoint: beyond the size that is kept, not to be read, a repository of its own, a name that is no UTF-8. */
export type SkipReason = 'too-large' | 'unreadable' | 'repository' | 'name';

export interface SkippedFile {
  path: string;
  why: SkipReason;
}

/** All files of a folder at one moment, but those that git is told to ignore. */
export interface Checkpoint {
  /** The turn of the run, from 1. */
  turn: number;
  moment: 'before' | 'after';
  /** When it was begun, ms since the epoch. */
  at: number;
  /** Why there is none; then the fields below are absent. */
  failed?: string;
  commit?: string;
  tree?: string;
  /** What the user's `HEAD` was. */
  head?: string;
  /** The agent went on before it was complete: it may hold a part of what came after. */
  late?: true;
  skipped?: SkippedFile[];
}

/** The checkpoints of one run, the oldest first. */
export interface RunCheckpoints {
  runId: string;
  /** The folder whose files they hold. */
  top: string;
  /** `git`: objects of the user's own repository, under `refs/glassbox/`. `plain`: a repository in glassbox's own data. */
  kind: 'git' | 'plain';
  /** Where the commits are, also when the folder is gone. Absent in what an older glassbox wrote. */
  repository?: string;
  checkpoints: Checkpoint[];
}

/** Absent where a file is no text. */
export interface LineCount {
  added: number;
  removed: number;
}

/** What a turn did to a file. */
export interface TurnChange {
  path: string;
  change: 'added' | 'deleted' | 'changed';
  lines?: LineCount;
}

/** A commit of the user's. */
export interface FileCommit {
  /** The whole of it. */
  id: string;
  subject: string;
}

/** What a session did to a file, and what became of it. */
export interface SessionFile {
  path: string;
  change: 'added' | 'deleted' | 'changed';
  lines?: LineCount;
  /** Those that changed it. */
  turns: number[];
  /** `as-left`: it is as the session left it; `reverted`: as it was before; `under-way`: a turn is still at work. Absent where nobody looked. */
  state?: 'as-left' | 'changed-since' | 'reverted' | 'under-way';
  /** It stands there as the session left it. */
  commit?: FileCommit;
  /** It also changed between the turns. */
  byOthers?: true;
  /** Names the file as the session left it. */
  version: string;
}

/** All files that a session, or one of its turns, changed, by the files that are kept. */
export interface SessionChanges {
  /** The folder. */
  top: string;
  kind: RunCheckpoints['kind'];
  /** On which it is now. */
  branch?: string;
  files: SessionFile[];
  /** So many are not listed. */
  more: number;
  /** Turns of which the files are not kept: what they changed is not here. */
  missing: number[];
}

/** What going back would do to a file, and how many lines that adds and removes. */
export interface RewindFile {
  path: string;
  /** `restored`: it was deleted since and comes back; `removed`: it was made since and goes. */
  change: 'changed' | 'restored' | 'removed';
  lines?: LineCount;
  /** It also changed while no turn of the session was at work. */
  byOthers?: true;
}

/** A file that is not touched though it differs; `not-kept`: what stands there now could not be had back. */
export interface LeftFile {
  path: string;
  why: SkipReason | 'not-kept' | 'changed-meanwhile';
}

/** What becomes of the conversation when all files go back to a moment. */
export interface ConversationBack {
  /** The last turn that its agent knows of when it goes on; 0 is none. */
  turn: number;
  /** Why it does not go back: then its agent goes on with all that was said. */
  cannot?: string;
}

/** What going back to a turn would change, against the files as they are now. */
export interface RewindPlan {
  /** The folder. */
  top: string;
  turn: number;
  before: boolean;
  /** When the files were like that. */
  at: number;
  /** Names the files as they are now: who was shown this plan says it, so that nothing else is done than was shown. */
  fingerprint: string;
  files: RewindFile[];
  left: LeftFile[];
  late?: true;
  /** Where the user's `HEAD` was; present when it is elsewhere now. It is not moved back. */
  movedHead?: string;
  /** With all files. */
  conversation?: ConversationBack;
}

export interface Rewound {
  /** Of the rewind, which can be taken back; empty when nothing changed. */
  id: string;
  /** How many files changed. */
  files: number;
  left: LeftFile[];
  /** Absent where only files were to go back. */
  conversation?: ConversationBack;
}
