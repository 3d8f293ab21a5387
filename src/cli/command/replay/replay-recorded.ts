/** A file or a kept session, as it happened. */
import type { Context } from '../../context.js';
import { isFile, sessionToShow } from '../../kept/file-or-session.js';
import { withStore } from '../../kept/with-store.js';
import type { ReplayFlags } from './command.js';
import { replayFile } from './replay-file.js';
import { replaySession } from './replay-session.js';

export async function replayRecorded(this: Context, flags: ReplayFlags, word?: string): Promise<void> {
  const { process } = this;
  if (word !== undefined && isFile(word)) return replayFile(word, flags, process);
  await withStore(flags, async (store) => {
    const session = await sessionToShow(word, store, process.cwd());
    await replaySession(session, store, flags, process);
  });
}
