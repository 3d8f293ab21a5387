/** The door of the store. */
export type * from './approval.js';
export { storeLocation } from './location.js';
export { openStore } from './open-store.js';
export * from './query.js';
export type * from './record.js';
export { createRecorder, type Recorder, type RecorderOptions } from './recorder.js';
export { sumSpent } from './spent.js';
export type * from './store.js';
