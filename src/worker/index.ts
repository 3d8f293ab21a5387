/** The door of workers: a machine that takes jobs from a hub, runs them, and brings every event to it. */
export { acceptJob } from './accept-job.js';
export { createWorker, type Worker, type WorkerOptions } from './worker.js';
export { checkWorkerFile, type WorkerFile } from './worker-file.js';
