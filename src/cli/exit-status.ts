/** The one table of exit statuses: what a script can learn from how `glassbox` ended. Printed by `--help`. */
import type { EndReason, ErrorCode, TurnOutcome } from '../event/index.js';
import { GlassboxError } from '../event/index.js';

export const EXIT_STATUSES = [
  [0, 'done'],
  [1, 'the agent failed, or a reader did not pass every case'],
  [2, 'wrong usage: a command, flag, value or setting that makes no sense'],
  [3, 'a file, session or store could not be found, read or written'],
  [4, 'the stream ended without saying how the agent ended'],
  [5, 'a limit of turns or money was reached'],
  [6, 'nothing happened any more, so the agent was ended'],
  [70, 'glassbox itself failed: please report it'],
  [124, 'the time was over'],
  [127, 'the agent is not installed or cannot be started'],
  [130, 'interrupted, for example with Ctrl-C'],
  [143, 'ended by a signal from outside'],
] as const satisfies readonly (readonly [status: number, meaning: string])[];

export type ExitStatus = (typeof EXIT_STATUSES)[number][0];

export const STATUS_OF_REASON: Record<EndReason, ExitStatus> = {
  finished: 0,
  failed: 1,
  crashed: 1,
  'max-turns': 5,
  'over-budget': 5,
  stalled: 6,
  'timed-out': 124,
  'spawn-failed': 127,
  cancelled: 130,
};

/** For a stream without a process, of which only the last turn is known. */
export const STATUS_OF_OUTCOME: Record<TurnOutcome, ExitStatus> = {
  success: 0,
  failed: 1,
  unknown: 4,
  'max-turns': 5,
  'over-budget': 5,
  interrupted: 130,
};

const STATUS_OF_CODE: Record<ErrorCode, ExitStatus> = {
  'invalid-request': 2,
  'unsupported-capability': 2,
  'unknown-agent': 2,
  'not-found': 3,
  'read-failed': 3,
  'write-failed': 3,
  conflict: 3,
  unauthorized: 3,
  forbidden: 3,
  store: 3,
  'not-installed': 127,
  'spawn-failed': 127,
};

export function statusOfError(error: unknown): ExitStatus {
  return error instanceof GlassboxError ? STATUS_OF_CODE[error.code] : 70;
}
