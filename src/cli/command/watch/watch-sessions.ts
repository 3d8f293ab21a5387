/** `glassbox watch`: prints what is new in the store, whoever put it there, while the sessions of this machine are followed into it. */
import { homedir } from 'node:os';
import type { Watching } from '../../../archive/index.js';
import { GlassboxError } from '../../../event/index.js';
import type { SessionRecord, Store } from '../../../store/index.js';
import type { Context } from '../../context.js';
import { createInterrupt } from '../../interrupt.js';
import { hearMachine } from '../../kept/hear-machine.js';
import { liveSession } from '../../kept/live-session.js';
import { namedSession } from '../../kept/named-session.js';
import { isLocal, NOT_FOLLOWED, watchMachine } from '../../kept/watch-machine.js';
import { withStore } from '../../kept/with-store.js';
import { createNotices } from '../../notice/notices.js';
import { note } from '../../print/note.js';
import { configurationFor } from '../../run-request.js';
import type { WatchFlags } from './command.js';
import { createNewsPrinter } from './news-printer.js';

export async function watchSessions(this: Context, flags: WatchFlags, ref?: string): Promise<void> {
  const { process } = this;
  const { stderr, env } = process;
  if (flags.all && ref !== undefined)
    throw new GlassboxError('invalid-request', 'Name a session or ask for --all of them, not both.');
  const { settings } = await configurationFor(process.cwd(), process);
  using interrupt = createInterrupt(process);
  process.exitCode = await withStore(flags, async (store) => {
    // Listened first and looked then, so that no change falls in between.
    const own = new AbortController();
    const notices = createNotices({ process, settings, notify: flags.notify });
    const printer = createNewsPrinter(flags, process, { store, home: homedir(), notices });
    const signal = AbortSignal.any([interrupt.signal, own.signal, printer.closed]);
    const changes = store.watch({ signal });
    const watching = isLocal(store)
      ? watchMachine({
          store,
          settings,
          env,
          signal,
          onTrouble: ({ path, message }) => note(stderr, `${path}: ${message}`),
          ...(flags.all && { onWords: (text: string) => note(stderr, text) }),
        })
      : undefined;
    // Everything that happens is told at once. Nobody answers here, so that questions are left to the agents.
    const hooks =
      watching && flags.all
        ? await hearMachine(
            { store, watching, isAttended: () => false, onTrouble: (text) => note(stderr, text) },
            process,
          )
        : undefined;
    try {
      const only = flags.all ? undefined : await chosen(store, ref, watching);
      if (only) await printer.begin(only);
      else if (!watching) note(stderr, `${NOT_FOLLOWED}; watching what glassbox runs; Ctrl-C ends it.`);
      else if (!flags.json) note(stderr, 'watching the agents of this machine; Ctrl-C ends it.');
      if (!only || goesOn(only)) await follow(changes, store, printer.print, only);
    } finally {
      await hooks?.close();
      own.abort();
      await watching?.done;
      await printer.end();
      await notices.close();
    }
    const status = interrupt.status();
    return status === 143 ? status : status === 130 ? 0 : (printer.status() ?? 0);
  });
}

/** What was not started by glassbox is there when it was read. */
async function chosen(store: Store, ref: string | undefined, watching: Watching | undefined): Promise<SessionRecord> {
  const choose = () => (ref === undefined ? liveSession(store, undefined) : namedSession(store, ref, ''));
  try {
    return await choose();
  } catch (error) {
    if (!(error instanceof GlassboxError) || error.code !== 'not-found') throw error;
    await watching?.catchUp();
    return choose();
  }
}

async function follow(
  changes: AsyncIterable<SessionRecord[]>,
  store: Store,
  print: (session: SessionRecord) => Promise<void>,
  only: SessionRecord | undefined,
): Promise<void> {
  for await (const some of changes) {
    if (!only) {
      for (const session of some) await print(session);
      continue;
    }
    // It may have become part of another one meanwhile, which still answers to its id.
    const now = some.find(({ id }) => id === only.id) ?? (await store.session(only.id));
    if (!now) return;
    await print(now);
    if (!goesOn(now)) return;
  }
}

/** What its agent's own program goes on with may be quiet for long; a run of glassbox that has ended is over. */
function goesOn({ state, runs }: SessionRecord): boolean {
  const last = runs.at(-1);
  return (
    state !== 'ended' || (last !== undefined && last.terms === undefined && !last.piped && last.outcome === undefined)
  );
}
