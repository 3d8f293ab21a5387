/** The door of presence: what a session does now, judged from evidence. */
export type { Awaited, Evidence, Presence, ProcessId, SessionPresence, State } from './evidence.js';
export { isLive } from './is-live.js';
export { judge } from './judge.js';
export { evidenceOfEvents } from './run-evidence.js';
export { type KeptState, type ShownState, shownState } from './shown-state.js';
