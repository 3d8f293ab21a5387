/** Takes a session of the panels back as `glassbox rewind` does: its turns, to which one, what that changes, and a question; on the bare terminal. */
import type { SessionRecord, Store } from '../../../store/index.js';
import { askLine } from '../../ask/confirm.js';
import { print } from '../../print/sink.js';
import { rewindTo, undoLast } from '../rewind/rewind-files.js';
import { turnRows } from '../rewind/turn-list.js';
import type { WholeScreen } from './whole-screen.js';

export interface TakeBackOptions {
  process: NodeJS.Process;
  screen: WholeScreen;
  color: boolean;
  /** Somebody has left the panels. */
  signal: AbortSignal;
}

/** Throws a `GlassboxError` that says why when it cannot be done. */
export async function takeBack(store: Store, session: SessionRecord, options: TakeBackOptions): Promise<void> {
  const { process, screen, signal } = options;
  const flags = { color: options.color ? 'always' : 'never' } as const;
  const { exitCode } = process;
  screen.leave();
  try {
    await print(process.stdout, await turnRows(store, session, process, flags.color));
    const wanted = await askLine(
      `Back to which turn of ${session.id}? (0: before the first, u: undo, Enter: none) `,
      process,
    );
    if (wanted === 'u') await undoLast.call({ process }, store, session, flags);
    else if (wanted !== undefined && /^\d{1,6}$/.test(wanted))
      await rewindTo.call({ process }, store, session, { turn: Number(wanted) }, flags);
    else return;
    await askLine('Enter goes back to the panels. ', process);
  } finally {
    // Ctrl-C ended a question, not the panels.
    process.exitCode = exitCode;
    if (!signal.aborted) screen.enter();
  }
}
