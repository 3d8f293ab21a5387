/** `glassbox interrupt`: the current turn is stopped, wherever it was started. */
import type { Context } from '../../context.js';
import type { StoreFlag } from '../../flag/store-flag.js';
import { liveSession } from '../../kept/live-session.js';
import { tellSession } from '../../kept/tell-session.js';
import { withStore } from '../../kept/with-store.js';
import { print } from '../../print/sink.js';

export async function interruptSession(this: Context, flags: StoreFlag, ref?: string): Promise<void> {
  await withStore(flags, async (store) => {
    const session = await liveSession(store, ref);
    await tellSession(store, session, { type: 'interrupt' });
    await print(this.process.stdout, [`Interrupted ${session.id}.`]);
  });
}
