import type { Decider, Instruction } from '../event/index.js';

/** An instruction as the owner of a run takes it, to be acknowledged by its id. */
export interface Told {
  id: string;
  instruction: Instruction;
  from: Decider;
}

export interface TellOptions {
  /** How long an owner may take before it counts as one that does not listen. Default 10 s. */
  patienceMs?: number;
}
