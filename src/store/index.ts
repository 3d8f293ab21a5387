/** The door of the store. */

export type { Budget, Spending } from '../budget/index.js';
export type * from './approval.js';
export type * from './channel.js';
export type { AuditEntry, AuditQuery, AuditTable, Deed } from './fleet/audit.js';
export type { BudgetTable } from './fleet/budget.js';
export type { FleetStore } from './fleet/fleet.js';
export type { JobKind, JobQuery, JobTable } from './fleet/job.js';
export type {
  ClaimedJob,
  JobHold,
  JobRecord,
  JobSpec,
  JobState,
  NewJob,
  WorkerOffer,
  WorkerRecord,
} from './fleet/job-record.js';
export type { LoginTable } from './fleet/login.js';
export type { NewToken, TokenRecord, TokenTable } from './fleet/token.js';
export type { WorkerTable } from './fleet/worker.js';
export { type KeepOptions, type KeptRun, keepRun } from './keep-run.js';
export { requireSafeUrl, storeLocation } from './location.js';
export { openStore } from './open-store.js';
export * from './query.js';
export { readListed } from './read-listed.js';
export { readSession } from './read-session.js';
export type * from './record.js';
export { createRecorder, type Recorder, type RecorderOptions } from './recorder.js';
export { type OpenHubOptions, openHub } from './remote/open.js';
export { requireDone } from './require-done.js';
export type { Door } from './shell/engine.js';
export type * from './store.js';
