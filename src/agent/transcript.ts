/** The conversations that an agent's program leaves on disk: where they lie, which files belong together, how they read. Pure. */
import type { Draft } from '../event/index.js';

export interface Transcripts {
  /** Folders to look in. `~` is the home directory; `$NAME` is a variable, and without it the folder does not count. */
  readonly folders: readonly string[];
  /**
   * The conversation that a file belongs to, from its path below the folder (with slashes) and its first value; undefined when it
   * belongs to none. A `part` is one of several files of a conversation, for example that of a sub-agent.
   */
  identify(path: string, first: unknown): { sessionId: string; part?: string } | undefined;
  createReader(): TranscriptReader;
}

/** Reads one conversation. */
export interface TranscriptReader {
  /** One value of one of its files, in the order of the file. Never throws, whatever the value. */
  receive(value: unknown, part?: string): void;
  /** All files were read. */
  end(): Transcript;
}

export interface Transcript {
  /** What happened, in order, each with its time in ms since the epoch. */
  drafts: { at: number; draft: Draft }[];
  /** A text that stands in the file of the conversation from which this one was copied. */
  copiedFrom?: string;
}
