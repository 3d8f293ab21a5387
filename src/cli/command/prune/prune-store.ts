/** `glassbox prune`: removes what was named or what the limits do not allow, and says how much is left. */
import { GlassboxError } from '../../../event/index.js';
import { size } from '../../../word/index.js';
import type { Context } from '../../context.js';
import { withStore } from '../../kept/with-store.js';
import { print } from '../../print/sink.js';
import type { PruneFlags } from './command.js';

export async function pruneStore(
  this: Context,
  { olderThan, maxSize, ...flags }: PruneFlags,
  ...ids: string[]
): Promise<void> {
  const hasLimit = olderThan !== undefined || maxSize !== undefined;
  if (!hasLimit && ids.length === 0) {
    throw new GlassboxError(
      'invalid-request',
      'Say what may go: --older-than 90d, --max-size 2GB, or the ids of sessions.',
    );
  }
  await withStore(flags, async (store) => {
    for (const id of ids) await store.delete(id);
    const limits = {
      ...(olderThan !== undefined && { maxAgeMs: olderThan }),
      ...(maxSize !== undefined && { maxBytes: maxSize }),
    };
    const { sessions, bytes } = await store.prune(limits);
    const removed = sessions + ids.length;
    const rest = `The rest takes ${size(bytes)}.`;
    await print(this.process.stdout, [`Removed ${removed} session${removed === 1 ? '' : 's'}. ${rest}`]);
  });
}
