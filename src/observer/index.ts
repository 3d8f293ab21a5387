/** The door of the observer: what the sessions of this machine do, whoever started them. */
export { createKeptEvidence, type ParkedSource } from './kept-evidence.js';
export type { Observer } from './observer.js';
export { createObserver } from './observer.js';
export type { Heard, Known, LookOptions, ObserverOptions, Seen } from './session.js';
export { createSessionPresences, type SessionPresences } from './session-presences.js';
