/** `glassbox pin`: which sessions stay when others go. */
import type { SessionRecord } from '../../../store/index.js';
import { confirm } from '../../ask/confirm.js';
import type { Context } from '../../context.js';
import { namedSession } from '../../kept/named-session.js';
import { withStore } from '../../kept/with-store.js';
import { print } from '../../print/sink.js';
import type { PinFlags } from './command.js';

export async function pinSessions(this: Context, flags: PinFlags, ...refs: string[]): Promise<void> {
  const { process } = this;
  const tell = (text: string) => print(process.stdout, [text]);
  await withStore(flags, async (store) => {
    const named = new Map<string, SessionRecord>();
    for (const ref of refs) {
      const session = await namedSession(store, ref, '');
      named.set(session.id, session);
    }
    const wanted = !flags.off;
    const ids = [...named.values()].filter(({ pinned = false }) => pinned !== wanted).map(({ id }) => id);
    const all = ids.join(', ');
    if (ids.length === 0) return tell(`${[...named.keys()].join(', ')}: ${wanted ? 'pinned already' : 'not pinned'}.`);
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
