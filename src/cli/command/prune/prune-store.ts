/** `glassbox prune`: removes what the limits do not allow, once somebody has seen what that is. */
import { forgetSessions } from '../../../checkpoint/index.js';
import { GlassboxError } from '../../../event/index.js';
import { forgetComments } from '../../../review/index.js';
import { forgetAttachments } from '../../../run/index.js';
import type { Store } from '../../../store/index.js';
import { size } from '../../../word/index.js';
import { confirm } from '../../ask/confirm.js';
import type { Context } from '../../context.js';
import { refuseInsideRun } from '../../kept/refuse-inside-run.js';
import { withStore } from '../../kept/with-store.js';
import { counted } from '../../print/counted.js';
import { sessionRows } from '../../print/session-rows.js';
import { print } from '../../print/sink.js';
import type { PruneFlags } from './command.js';

/** Of more than these nobody reads the names. */
const MOST_SHOWN = 20;

export async function pruneStore(this: Context, { olderThan, maxSize, ...flags }: PruneFlags): Promise<void> {
  const { process } = this;
  const tell = (text: string) => print(process.stdout, [text]);
  if (olderThan === undefined && maxSize === undefined)
    throw new GlassboxError(
      'invalid-request',
      'Say what may go: --older-than 90d or --max-size 2GB. glassbox delete removes the ones that you name.',
    );
  const limits = {
    ...(olderThan !== undefined && { maxAgeMs: olderThan }),
    ...(maxSize !== undefined && { maxBytes: maxSize }),
  };
  if (!flags.dryRun) await refuseInsideRun('delete sessions', flags);
  await withStore(flags, async (store) => {
    const plan = await store.prune({ ...limits, dryRun: true });
    const what = counted(plan.sessions, 'session');
    if (plan.sessions === 0) return tell(`Nothing to remove. Everything takes ${size(plan.bytes)}.`);
    await print(process.stdout, await planRows(store, plan.ids, process));
    if (flags.dryRun)
      return tell(`Would remove ${what}; the rest would take about ${size(plan.bytes)}. Nothing was changed.`);
    if ((await confirm(`Remove ${what} for good?`, flags, process)) !== 'yes') return tell('Nothing was removed.');
    // Who was asked may have taken a while. What belongs to them goes first: when this is cut off, nothing is left that nobody knows of.
    const { ids } = await store.prune({ ...limits, dryRun: true });
    const going = (await Promise.all(ids.map((id) => store.session(id)))).flatMap((session) => session ?? []);
    await forgetSessions(going);
    await forgetComments(going);
    forgetAttachments(going);
    const { sessions, bytes } = await store.prune(limits);
    await tell(`Removed ${counted(sessions, 'session')}. The rest takes ${size(bytes)}.`);
  });
}

async function planRows(store: Store, ids: readonly string[], process: NodeJS.Process): Promise<string[]> {
  const shown = await Promise.all(ids.slice(0, MOST_SHOWN).map((id) => store.session(id)));
  const more = ids.length - MOST_SHOWN;
  return [
    ...sessionRows(
      shown.flatMap((session) => session ?? []),
      process,
    ),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ];
}
