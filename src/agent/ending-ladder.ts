/** The ladders that several agents share; what is still alive behind the last rung is killed. */
import type { EndingLadder } from './command.js';

/** SIGINT first: most agents then end the commands that they run, and some still print their result. */
export const BY_SIGNAL: EndingLadder = [
  { do: 'signal', signal: 'SIGINT', waitMs: 2000 },
  { do: 'signal', signal: 'SIGTERM', waitMs: 2000 },
];

/** An agent that can be talked to is told first. */
export const BY_WORD: EndingLadder = [
  { do: 'interrupt', waitMs: 1500 },
  { do: 'close-stdin', waitMs: 1500 },
  { do: 'signal', signal: 'SIGTERM', waitMs: 2000 },
];
