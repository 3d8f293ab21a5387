/** What the main thread and the worker thread say to each other. */
import type { ErrorCode } from '../../event/index.js';
import type { SqlRow, SqlStatement } from '../fleet/sql.js';
import type { Batch, Change, Engine } from '../shell/engine.js';

/** What is asked of the thread: also what nobody may ask from far away. */
export interface FileCalls extends Engine {
  fleet(statements: readonly SqlStatement[]): SqlRow[][];
}

export type ToWorker =
  /** The first that is said, and what is said next to a thread whose store was closed. */
  | { kind: 'open'; path: string }
  | { kind: 'call'; id: number; method: keyof FileCalls; args: unknown[] }
  | { kind: 'append'; id: number; batch: Batch }
  /** How many are interested in changes. */
  | { kind: 'listen'; listeners: number }
  | { kind: 'close'; id: number };

export type FromWorker =
  | { kind: 'ready' }
  /** The store cannot be used. */
  | { kind: 'failed'; error: PortableError }
  | ({ kind: 'result' } & Result)
  /** What was written together is acknowledged together. */
  | { kind: 'appended'; results: Result[] }
  /** None: some may have been missed. */
  | { kind: 'changed'; changes: Change[] };

export type Result = { id: number; value: unknown } | { id: number; error: PortableError };

export interface PortableError {
  code: ErrorCode;
  message: string;
}
