/** `glassbox archive`: which sessions are listed apart. Nothing is lost by it, so nothing is asked. */
import { GlassboxError } from '../../../event/index.js';
import type { Context } from '../../context.js';
import { namedSessions } from '../../kept/named-session.js';
import { withStore } from '../../kept/with-store.js';
import { print } from '../../print/sink.js';
import type { ArchiveFlags } from './command.js';

export async function archiveSessions(this: Context, flags: ArchiveFlags, ...refs: string[]): Promise<void> {
  const tell = (text: string) => print(this.process.stdout, [text]);
  await withStore(flags, async (store) => {
    const named = await namedSessions(store, refs);
    const wanted = !flags.off;
    const working = named.filter(({ state }) => wanted && state !== 'ended').map(({ id }) => id);
    if (working.length > 0)
      throw new GlassboxError(
        'conflict',
        `${working.join(', ')}: not while it works. glassbox wait tells when it has ended.`,
      );
    const ids = named.filter(({ archived = false }) => archived !== wanted).map(({ id }) => id);
    if (ids.length === 0)
      return tell(`${named.map(({ id }) => id).join(', ')}: ${wanted ? 'archived already' : 'not archived'}.`);
    for (const id of ids) await store.label(id, { archived: wanted });
    await tell(
      wanted
        ? `Archived ${ids.join(', ')}. glassbox sessions --archived lists what is put away.`
        : `Back among the others: ${ids.join(', ')}.`,
    );
  });
}
