/** The door of parked sessions: a run that a limit stopped is kept in mind, and goes on when the limit is over. */
export { claim, claimant } from './claim.js';
export { GO_ON_PROMPT, goOnRequest, waitToGoOn } from './go-on.js';
export { createParking, DEFAULT_TIMES, type GoOn } from './park.js';
export {
  giveUp,
  goOnAt,
  listParked,
  neverGoOn,
  type Parked,
  type ParkedSession,
  parkedEvidence,
  parkedSession,
  tellParked,
} from './parked-sessions.js';
export { type ParkedRun, parkingDirectory } from './record.js';
