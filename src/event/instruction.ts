/** What anybody tells a run, from whichever process or host, and what became of it. */
import type { Answer } from './answer.js';
import type { ErrorCode } from './error.js';

/** `why`, for people: who or what wanted it, as the rest of a sentence. */
export type Instruction =
  | { type: 'answer'; approval: string; answer: Answer }
  /** `attachments`: ids of files that are kept for it on the machine of the run. */
  | { type: 'say'; text: string; attachments?: readonly string[] | undefined }
  /** Stops the current turn; a conversation that is kept open lives on. */
  | { type: 'interrupt'; why?: string }
  /** Ends the run, by the agent's own ladder. */
  | { type: 'stop'; why?: string }
  /** From inside the run: something was refused there that only people may do. Never done; the run tells of it. */
  | { type: 'attempt'; what: string };

/**
 * What became of an instruction. `done`: the run took it, and of several that exclude each other this one alone. `late`: somebody was
 * first, or what it was for is over. `gone`: whoever owns the run is dead or does not listen; the agent was not told, unless its owner
 * died while telling it. `unknown`: there is no such run or approval.
 */
export type Reception =
  | { outcome: 'done' | 'late' | 'gone' | 'unknown' }
  | { outcome: 'refused'; code: ErrorCode; reason: string };
