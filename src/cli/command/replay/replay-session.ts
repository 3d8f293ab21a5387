/** A kept session → what it looked like, with the pauses it had while its agent worked; others are short. */
import type { AgentEvent } from '../../../event/index.js';
import { readListed, type SessionRecord, type Store } from '../../../store/index.js';
import { createInterrupt } from '../../interrupt.js';
import { mannerOf, openPrinter } from '../../live/open-printer.js';
import { note } from '../../print/note.js';
import { createPace } from '../../stream/pace.js';
import type { ReplayFlags } from './command.js';

export async function replaySession(
  session: SessionRecord,
  store: Store,
  flags: ReplayFlags,
  process: NodeJS.Process,
): Promise<void> {
  using interrupt = createInterrupt(process);
  const { signal } = interrupt;
  const pace = createPace(flags.speed, signal);
  // As lines each run as it was printed when it happened: costs and calls begin anew with it.
  const isByRun = mannerOf(flags, process) === 'lines';
  let printer = openPrinter(flags, process);
  for (const [index, { runId }] of session.runs.entries()) {
    if (index > 0 && isByRun) {
      await printer.end();
      printer = openPrinter(flags, process);
    }
    pace.skip();
    let before: AgentEvent | undefined;
    for await (const event of readListed(store, runId)) {
      if (before && isIdle(before, event)) pace.skip();
      await pace.wait(event.at).catch(() => {});
      if (signal.aborted || printer.closed.aborted) break;
      await printer.print([event]);
      before = event;
    }
    if (signal.aborted || printer.closed.aborted) break;
  }
  await printer.end();
  if (session.state !== 'ended')
    note(
      process.stderr,
      `${session.id} is still running; this is what there is so far. glassbox watch ${session.id} follows it.`,
    );
  process.exitCode = interrupt.status() ?? 0;
}

/** Between turns nobody works, and it may have been the night. */
function isIdle({ type, parent }: AgentEvent, next: AgentEvent): boolean {
  return (type === 'turn-end' && parent === undefined) || (next.type === 'turn-start' && next.parent === undefined);
}
