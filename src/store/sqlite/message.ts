/** What the main thread and the worker thread say to each other. */
import type { ErrorCode } from '../../event/index.js';
import type { Batch } from './append.js';
import type { Change } from './change.js';
import type { Engine } from './engine.js';

export type Method = Exclude<keyof Engine, 'append' | 'close'>;

export type ToWorker =
  | { kind: 'call'; id: number; method: Method; args: unknown[] }
  | { kind: 'append'; id: number; batch: Batch }
  /** How many are interested in changes. */
  | { kind: 'listen'; listeners: number }
  | { kind: 'close'; id: number };

export type FromWorker =
  | { kind: 'ready' }
  /** The store cannot be used. */
  | { kind: 'failed'; error: PortableError }
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'error'; id: number; error: PortableError }
  /** None: some may have been missed. */
  | { kind: 'changed'; changes: Change[] };

export interface PortableError {
  code: ErrorCode;
  message: string;
}
