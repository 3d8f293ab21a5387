/** The conversations that an agent's program leaves on disk: where they lie, which files belong together, how they read. Pure. */
import type { Draft } from '../event/index.js';
import type { Awaited } from '../presence/evidence.js';

export interface Transcripts {
  /** Folders to look in. `~` is the home directory; `$NAME` is a variable, and without it the folder does not count. */
  readonly folders: readonly string[];
  /** Which files below a folder may belong to a conversation, by their paths (with slashes). Others are not opened. */
  readonly files: RegExp;
  /**
   * The conversation that a file belongs to, from its path below the folder and its first value; undefined when it belongs to none. The value is
   * read when it is asked for: there are thousands of files, and the paths of most say enough.
   */
  identify(path: string, first: () => unknown): TranscriptFile | undefined;
  /** The stream names conversations by other ids, so that nothing but what happened tells which is which. */
  readonly hasOtherIds?: true;
  /** For programs that keep all conversations in one database. */
  readonly database?: TranscriptDatabase;
  createReader(): TranscriptReader;
  /** For whoever wants to know what was spent before anything else; without it all has to be read for that. Only for files of lines. */
  readonly figures?: TranscriptFigures;
}

/** A faster way through the same lines, which tells turns, figures and the first prompt, and comes to the same sums as the reader. */
export interface TranscriptFigures {
  createReader(): FiguresReader;
}

export interface FiguresReader {
  /** Each line of its files, in the order of the file; few are read whole. Never throws. */
  receive(line: TranscriptLine, part?: string): void;
  end(): Transcript;
}

/** A line that is only looked at where it is worth it, and only until the next one comes. */
export interface TranscriptLine {
  /** Its bytes stand among others, without the end of the line. */
  readonly bytes: Uint8Array;
  readonly from: number;
  /** Behind its last byte. */
  readonly to: number;
  /** What stands between two places; letters beyond ASCII are wrong in it. */
  text(from: number, to: number): string;
  /** The line is read, which takes long; undefined when it cannot be. */
  whole(): unknown;
}

export interface TranscriptFile {
  sessionId: string;
  /** One of several files of a conversation, for example that of a sub-agent. It is read before the main one, which says where it belongs. */
  part?: string;
  /** The file is one JSON value, written anew when it changes, and not lines that only become more. */
  isDocument?: true;
}

/** Questions to an SQLite database, which is only read. */
export interface TranscriptDatabase {
  /** Name of the file below the folder. */
  readonly file: string;
  /** A row for each conversation: `id`; `state`, which changes whenever something in it does; `bytes`, about; `changedAt`, in ms. */
  readonly conversations: string;
  /** Its rows, by the name of the part they are received as, in the order of reading. The only parameter is the id. */
  readonly rows: Readonly<Record<string, string>>;
  /** The `id` of conversations in which something may have changed since a time in ms, the only parameter; quick, however much there is. */
  readonly recent: string;
  /** Whether the row will still change, so that it and those behind it are received later. */
  isOpen(row: Readonly<Record<string, unknown>>): boolean;
}

/** Reads one conversation. Whoever watches a file that grows keeps the reader and goes on where it stopped. */
export interface TranscriptReader {
  /**
   * One value of one of its files in the order of the file, or one row. Never throws, whatever the value. Gives what is certain by
   * now; what has to wait for other files is held back until the end.
   */
  receive(value: unknown, part?: string): Moment[];
  /** Told from now on is what is certain, in the order in which it comes, also where files that are read later may say otherwise. */
  keepUp?(): Moment[];
  /** Nothing came for a while: ends a turn that was answered, where only the next one would show that it was over. */
  settle?(): Moment[];
  /** Where it was copied from, as far as it is known by now. */
  origin?(): Origin;
  /** All files were read. */
  end(): Transcript;
}

/** What happened, with its time in ms since the epoch. */
export interface Moment {
  at: number;
  draft: Draft;
}

export interface Transcript extends Origin {
  /** What was held back, and what closes what is open. */
  moments: Moment[];
  /** What its program asks a person and nobody has answered, where its files tell that. */
  asks?: Asked;
}

export interface Asked extends Awaited {
  /** When, in ms since the epoch. */
  at: number;
}

export interface Origin {
  /** The conversation from which this one was copied, by its id. What was copied is told there and not here. */
  forkOf?: string;
  /** The same for programs that do not name it: a text that stands in its file. */
  copiedFrom?: string;
}
