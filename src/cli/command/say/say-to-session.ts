/** `glassbox say`: a message for an agent that works. */

import { keepFile } from '../../../run/index.js';
import type { Context } from '../../context.js';
import { liveSession } from '../../kept/live-session.js';
import { tellSession } from '../../kept/tell-session.js';
import { withStore } from '../../kept/with-store.js';
import { print } from '../../print/sink.js';
import type { SayFlags } from './command.js';

export async function sayToSession(this: Context, flags: SayFlags, ref: string, ...words: string[]): Promise<void> {
  await withStore(flags, async (store) => {
    const session = await liveSession(store, ref);
    const attachments = (flags.attach ?? []).map((file) => keepFile(file).id);
    await tellSession(store, session, {
      type: 'say',
      text: words.join(' '),
      ...(attachments.length > 0 && { attachments }),
    });
    await print(this.process.stdout, [`Said to ${session.id}.`]);
  });
}
