/** A session as it is looked for and as it is seen. */
import type { Trace } from '../agent/trace.js';
import type { OpenDatabase, Surroundings } from '../archive/index.js';
import type { Evidence, Presence } from '../presence/index.js';

export interface ObserverOptions extends Surroundings {
  agents: readonly Trace[];
  /** For agents that keep their conversations in one. */
  openDatabase?: OpenDatabase;
  /** Where the kernel tells of processes; for tests. */
  procFolder?: string;
  now?: () => number;
}

/** A session as it was seen. */
export interface Seen {
  /** By its name. */
  agent: string;
  /** The agent's own id. */
  sessionId: string;
  /** Nothing of it is on disk, so that its id is only that of its process: `pid-4711`. */
  isUnnamed?: true;
  cwd?: string;
  title?: string;
  presence: Presence;
}

/** A session to be looked at even when nothing lives that has it, with what else is known of it. */
export interface Known {
  agent: string;
  sessionId: string;
  cwd?: string | undefined;
  /** When something last happened in it, as far as is known; then its conversation is read only if somebody has it. */
  changedAt?: number | undefined;
  evidence?: readonly Evidence[];
}

export interface LookOptions {
  also?: readonly Known[];
  /** Read conversations also where a better source has spoken, to confirm it. */
  thorough?: boolean;
}

/** What a hook was told: the last word of each session counts until a better source speaks. */
export interface Heard {
  agent: string;
  sessionId: string;
  cwd?: string;
  evidence: Evidence;
}

export function keyOf({ agent, sessionId }: { agent: string; sessionId: string }): string {
  return `${agent} ${sessionId}`;
}
