/** For those who want only the answer. */
import type { Completion } from '../event/index.js';
import type { RunRequest } from './request/request.js';
import { run } from './run.js';

/** Runs to the end with nobody watching: what no rule allows is denied. Never rejects but for a request that makes no sense. */
export async function runToEnd(request: RunRequest, defaults?: Partial<RunRequest>): Promise<Completion> {
  return run(request, defaults).completion;
}
