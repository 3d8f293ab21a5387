/** By what an agent's sessions can be seen from outside while somebody else runs them, beside its conversations on disk. Pure. */
import type { Awaited, State } from '../presence/evidence.js';

/** What can be known of an agent without its code: by it the rest of its folder names things, too. */
export interface AgentTrace {
  readonly name: string;
  readonly title: string;
  /** Basenames of programs that speak this, lower case, without `.exe`; the first is the one to look for. */
  readonly programs: readonly string[];
  /** Where its conversations lie; absent where they cannot be read. */
  readonly folders?: readonly string[];
  readonly presence?: SignsOfLife;
}

export interface SignsOfLife {
  /** What its program writes about live sessions, apart from the conversation. */
  readonly registry?: Registry;
  /** How its program calls itself among the processes, where that is not how it is started. */
  readonly titles?: readonly string[];
  /**
   * In a terminal its program moves something all the time while it works, and nothing while it waits; it writes a call down before it asks
   * about it, unless `writesCallsLate`. To be told only of programs of which that was measured.
   */
  readonly movesAtWork?: true;
  /** In a terminal it writes a call down only when that is over, so that an answer may also be a question to the person there. */
  readonly writesCallsLate?: true;
  /**
   * It writes nothing down before its first answer, and asks nobody anything before that; in a terminal it moves something while it works. Of
   * such a program a process without a conversation is a session.
   */
  readonly writesAfterAnswer?: true;
  /** Where its program tells when it asks somebody, beside the conversation. */
  readonly log?: Log;
}

export interface Log {
  /** As those of transcripts. */
  readonly folders: readonly string[];
  /** Which files, by their names; the one that changed last is read. */
  readonly files: RegExp;
  /** What a line says; undefined when that is nothing of interest. Never throws. */
  read(line: string): Logged | undefined;
}

export interface Logged {
  /** Which of the processes that share the file. */
  by: string;
  /** Ms since the epoch. */
  at: number;
  /** The session that it speaks of; without one it is that of its line before. */
  sessionId?: string;
  /** The session that this one works for. */
  parentId?: string;
  says?: 'asks' | 'answered';
  /** Of the question. */
  id?: string;
}

export interface Registry {
  /** As those of transcripts: `~` is the home directory, `$NAME` a variable. */
  readonly folders: readonly string[];
  /** Which files below a folder, by their paths (with slashes). */
  readonly files: RegExp;
  /** How many folders deep they lie; 0 unless told. */
  readonly depth?: number;
  /** Every session has such a file, so that no process has one which it does not name. */
  readonly isComplete?: true;
  /** The only folders in a folder that have such files; all unless told. */
  readonly within?: readonly string[];
  /** What a file says; undefined when it speaks of no session. Its value is undefined when it is no JSON. Never throws. */
  read(path: string, value: unknown): Registered | undefined;
}

export interface Registered {
  sessionId: string;
  /** The process that has it. */
  process?: RegisteredProcess;
  /** The file is written when the session begins, so that a process which began later is another one. */
  isWrittenOnce?: true;
  cwd?: string;
  title?: string;
  /** Absent when the file tells only that the session is there. */
  says?: Exclude<State, 'unknown'>;
  /** The conversation tells more: whether one that is idle asks something, and what is asked. */
  isCoarse?: true;
  for?: Awaited;
  /** Since when, ms since the epoch; the time of the file unless told. */
  at?: number;
  /** For people: what stands there, without anything secret. */
  text: string;
}

export interface RegisteredProcess {
  pid: number;
  /** As the kernel counts it, in ticks since the machine began; one that began at another time is another process. */
  startTicks?: string;
  /** The namespace in which the number counts, as `/proc/self/ns/pid` names it. */
  namespace?: string;
}
