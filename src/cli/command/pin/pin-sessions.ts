/** `glassbox pin`: which sessions stay when others go. */
import { confirm } from '../../ask/confirm.js';
import type { Context } from '../../context.js';
import { namedSessions } from '../../kept/named-session.js';
import { withStore } from '../../kept/with-store.js';
import { print } from '../../print/sink.js';
import type { PinFlags } from './command.js';

export async function pinSessions(this: Context, flags: PinFlags, ...refs: string[]): Promise<void> {
  const { process } = this;
  const tell = (text: string) => print(process.stdout, [text]);
  await withStore(flags, async (store) => {
    const named = await namedSessions(store, refs);
    const wanted = !flags.off;
    const ids = named.filter(({ pinned = false }) => pinned !== wanted).map(({ id }) => id);
    const all = ids.join(', ');
    if (ids.length === 0)
      return tell(`${named.map(({ id }) => id).join(', ')}: ${wanted ? 'pinned already' : 'not pinned'}.`);
    if (flags.dryRun) return tell(`Would ${wanted ? 'pin' : 'unpin'} ${all}. Nothing was changed.`);
    if (
      !wanted &&
      (await confirm(`Take the pin of ${all} away, so that glassbox prune may remove it?`, flags, process)) !== 'yes'
    )
      return tell('Nothing was changed.');
    for (const id of ids) await store.label(id, { pinned: wanted });
    await tell(`${wanted ? 'Pinned' : 'No longer pinned:'} ${all}.`);
  });
}
