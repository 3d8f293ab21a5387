/** `glassbox` alone: the panels on this terminal, while the sessions of this machine are followed into the store. */
import { GlassboxError } from '../../../event/index.js';
import { createSessionPresences } from '../../../observer/index.js';
import type { Store } from '../../../store/index.js';
import type { Context } from '../../context.js';
import { createInterrupt } from '../../interrupt.js';
import { hearMachine } from '../../kept/hear-machine.js';
import { tellOfLeftovers } from '../../kept/leftover-note.js';
import { observeMachine } from '../../kept/observe-machine.js';
import { parkedSource } from '../../kept/parked-source.js';
import { refuseInsideRun } from '../../kept/refuse-inside-run.js';
import { isLocal, NOT_FOLLOWED, watchMachine } from '../../kept/watch-machine.js';
import { withStore } from '../../kept/with-store.js';
import { createTerminalNotice } from '../../notice/terminal-notice.js';
import { wantsColor } from '../../print/color.js';
import { configurationFor } from '../../run-request.js';
import type { TuiFlags } from './command.js';
import { createPanels } from './panels.js';

export async function openPanels(this: Context, flags: TuiFlags): Promise<void> {
  const { process } = this;
  const { stdin, stdout, stderr, env } = process;
  await refuseInsideRun('open the panels, which answer for the person,', flags);
  if (!stdin.isTTY || !stdout.isTTY || env.TERM === 'dumb')
    throw new GlassboxError(
      'invalid-request',
      'The panels need a terminal that can be drawn on. glassbox ps and glassbox next do without.',
    );
  const { settings } = await configurationFor(process.cwd(), process);
  await tellOfLeftovers(stderr);
  using interrupt = createInterrupt(process);
  await withStore(flags, async (store: Store) => {
    const observer = isLocal(store) ? observeMachine(settings, env) : undefined;
    using panels = createPanels({
      store,
      process,
      presences: createSessionPresences({ store, observer, parked: parkedSource(store) }),
      color: wantsColor(flags.color, stdout, env),
      notice: settings.notices === false ? undefined : createTerminalNotice(process),
      notify: flags.notify ?? settings.notify ?? [],
      isNotifiedOfAll: flags.notify !== undefined,
      signal: interrupt.signal,
    });
    const { signal, tell } = panels;
    if (!observer) tell(`${NOT_FOLLOWED}.`);
    const watching = observer
      ? watchMachine({
          store,
          settings,
          env,
          observer,
          signal,
          onTrouble: ({ path, message }) => tell(`${path}: ${message}`),
          onWords: tell,
        })
      : undefined;
    const hooks =
      watching &&
      (await hearMachine({ store, watching, observer, isAttended: panels.isAttended, onTrouble: tell }, process));
    try {
      await panels.over;
    } finally {
      await hooks?.close();
      await watching?.done;
    }
  });
  process.exitCode = interrupt.status() === 143 ? 143 : 0;
}
