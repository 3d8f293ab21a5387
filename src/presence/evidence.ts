/** What is known about a session at a moment, piece by piece: who says it, what, and since when. Nothing here decides. */

/**
 * - `working`: the agent does something.
 * - `waiting`: it does nothing until a person has answered.
 * - `idle`: it is there, its turn is over, and nothing was asked.
 * - `parked`: it holds still where it was and could go on: its process is stopped, its program has put it aside, or a limit of the account stopped it.
 * - `ended`: nothing runs it any more.
 * - `unknown`: nobody says enough to tell.
 */
export type State = 'working' | 'waiting' | 'idle' | 'parked' | 'ended' | 'unknown';

/** What a session waits for. */
export interface Awaited {
  kind: 'approval' | 'question' | 'dialog';
  /** In the agent's own words, or ours; one line. */
  text: string;
}

/**
 * Who says it, the most trustworthy first.
 *
 * - `run`: the events of a run that glassbox has in its hands.
 * - `registry`: a file that the agent's program keeps about its live sessions.
 * - `hook`: what the program told a hook.
 * - `transcript`: the end of the conversation on disk.
 * - `program`: the program itself, where nothing is on disk yet: whom it talks to and whether it draws.
 * - `process`: the process table. It tells what lives, and never what is being done.
 */
export const SOURCES = ['run', 'registry', 'hook', 'transcript', 'program', 'process'] as const;

export type Source = (typeof SOURCES)[number];

/** What a process has to do with a session: `present` has it, `stopped` has it and is suspended, `absent` had it or nobody has. */
export type Life = 'present' | 'stopped' | 'absent';

export interface Evidence {
  source: Source;
  says: Exclude<State, 'unknown'> | Life;
  /** With `waiting`. */
  for?: Awaited;
  /** Since when it is so, as far as the source tells, ms since the epoch; for `absent`, when somebody looked. */
  at: number;
  /** With `parked`: when it goes on, or could, ms since the epoch. */
  until?: number;
  /** The process that it speaks of. What was said about a process that is gone counts no more. */
  process?: ProcessId;
  /** For people: where it was read and what stands there. */
  text: string;
}

/** Numbers are used again, so that only both together name a process. */
export interface ProcessId {
  pid: number;
  /** When it began, ms since the epoch. */
  began: number;
}

/** The answer, with what speaks for it and what speaks against it. */
export interface Presence {
  state: State;
  for?: Awaited;
  /** For `ended`, its last sign of life; absent when nothing tells. */
  since?: number;
  /** With `parked`: when it goes on, or could; absent when nobody told. */
  until?: number;
  because: Evidence[];
  against: Evidence[];
}

/** What a session does now. */
export interface SessionPresence {
  /** Our session, by its short id. */
  session: string;
  presence: Presence;
}
