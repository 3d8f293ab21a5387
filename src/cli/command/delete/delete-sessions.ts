/** `glassbox delete`: all of the sessions that were named, or none. */
import { forgetSessions } from '../../../checkpoint/index.js';
import { GlassboxError } from '../../../event/index.js';
import { forgetComments } from '../../../review/index.js';
import { forgetAttachments } from '../../../run/index.js';
import type { SessionRecord, Store } from '../../../store/index.js';
import { confirm } from '../../ask/confirm.js';
import type { Context } from '../../context.js';
import { namedSession } from '../../kept/named-session.js';
import { refuseInsideRun } from '../../kept/refuse-inside-run.js';
import { withStore } from '../../kept/with-store.js';
import { counted } from '../../print/counted.js';
import { sessionRows } from '../../print/session-rows.js';
import { print } from '../../print/sink.js';
import type { DeleteFlags } from './command.js';

export async function deleteSessions(this: Context, flags: DeleteFlags, ...refs: string[]): Promise<void> {
  const { process } = this;
  if (!flags.dryRun) await refuseInsideRun('delete sessions', flags);
  await withStore(flags, async (store) => {
    const meant = await allNamed(store, refs);
    const what = counted(meant.length, 'session');
    await print(process.stdout, sessionRows(meant, process));
    if (flags.dryRun) return print(process.stdout, [`Would delete ${what}. Nothing was changed.`]);
    const assent = await confirm(`Delete ${meant.length === 1 ? 'it' : `these ${what}`} for good?`, flags, process);
    if (assent !== 'yes') return print(process.stdout, ['Nothing was deleted.']);
    // What belongs to them goes first: when this is cut off, nothing is left that nobody knows of.
    await forgetSessions(meant);
    await forgetComments(meant);
    forgetAttachments(meant);
    for (const { id } of meant) await store.delete(id);
    await print(process.stdout, [`Deleted ${what}.`]);
  });
}

/** Each once, and none that lives: what a run still writes would have no place. */
async function allNamed(store: Store, refs: readonly string[]): Promise<SessionRecord[]> {
  const found = new Map<string, SessionRecord>();
  for (const ref of refs) {
    const session = await namedSession(store, ref, '');
    found.set(session.id, session);
  }
  const live = [...found.values()].filter(({ state }) => state !== 'ended').map(({ id }) => id);
  if (live.length > 0) {
    const is = live.length === 1 ? 'is' : 'are';
    throw new GlassboxError(
      'conflict',
      `${live.join(' and ')} ${is} still running; nothing was deleted. End it first: glassbox stop ${live[0]}`,
    );
  }
  return [...found.values()];
}
