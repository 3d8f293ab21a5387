/** A run → lines. Resolves with the exit status when the process is gone. */
import type { RunHandle } from '../run/index.js';
import { type ExitStatus, STATUS_OF_REASON } from './exit-status.js';
import type { Printer } from './printer.js';

/** When nobody reads the output any more the run is cancelled: its work would go on unseen. */
export async function showRun(handle: RunHandle, printer: Printer): Promise<ExitStatus> {
  const stop = () => handle.cancel();
  printer.closed.addEventListener('abort', stop);
  for await (const event of handle.events) await printer.print([event]);
  printer.closed.removeEventListener('abort', stop);
  await printer.end();
  const { reason } = await handle.completion;
  return printer.closed.aborted ? 0 : STATUS_OF_REASON[reason];
}
