/** `glassbox say`: a message for an agent that works. */
import type { Context } from '../../context.js';
import type { StoreFlag } from '../../flag/store-flag.js';
import { liveSession } from '../../kept/live-session.js';
import { tellSession } from '../../kept/tell-session.js';
import { withStore } from '../../kept/with-store.js';
import { print } from '../../print/sink.js';

export async function sayToSession(this: Context, flags: StoreFlag, ref: string, ...words: string[]): Promise<void> {
  await withStore(flags, async (store) => {
    const session = await liveSession(store, ref);
    await tellSession(store, session, { type: 'say', text: words.join(' ') });
    await print(this.process.stdout, [`Said to ${session.id}.`]);
  });
}
