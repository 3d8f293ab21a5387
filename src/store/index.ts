/** The door of the store. */
export type * from './approval.js';
export type * from './channel.js';
export { type KeepOptions, type KeptRun, keepRun } from './keep-run.js';
export { storeLocation } from './location.js';
export { openStore } from './open-store.js';
export * from './query.js';
export { readListed } from './read-listed.js';
export type * from './record.js';
export { createRecorder, type Recorder, type RecorderOptions } from './recorder.js';
export { requireDone } from './require-done.js';
export type * from './store.js';
