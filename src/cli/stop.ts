/**
 * Ctrl-C while an agent runs: once interrupts its turn, twice ends it, a third time does not wait. A signal from outside ends it; that a terminal was
 * closed is told several times, by the system and by shells, and means nothing more each time.
 */
import type { RunHandle } from '../run/index.js';
import type { ExitStatus } from './exit-status.js';
import { note } from './print/note.js';
import type { Remarks } from './print/printer.js';

export interface Stop extends Disposable {
  /** Set once a signal came from outside. */
  status(): ExitStatus | undefined;
  /** Somebody wants its end, and was asked already; another time it is not waited for. */
  end(): void;
}

export function createStop(
  process: NodeJS.Process,
  handle: Pick<RunHandle, 'interrupt' | 'cancel'>,
  remarks: Remarks = process.stderr,
): Stop {
  let presses = 0;
  let status: ExitStatus | undefined;

  const onInterrupt = () => {
    presses += 1;
    if (presses === 3) process.exit(130);
    if (presses === 2 || !handle.interrupt('interrupted by the user')) handle.cancel('ended by the user');
    else note(remarks, 'interrupting; Ctrl-C again ends it.');
  };
  const onTerminate = (name: NodeJS.Signals) => {
    if (status !== undefined && name !== 'SIGHUP') process.exit(143);
    status = 143;
    handle.cancel('glassbox was stopped');
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  process.on('SIGHUP', onTerminate);
  return {
    status: () => status,
    end() {
      if (presses >= 2) process.exit(130);
      presses = 2;
      handle.cancel('ended by the user');
    },
    [Symbol.dispose]() {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
      process.off('SIGHUP', onTerminate);
    },
  };
}
