/** `glassbox`, alone on a terminal, or `glassbox tui`: all sessions, and one of them, to look at and to answer. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { colorFlag } from '../../flag/color-flag.js';
import { type NotifyFlag, notifyFlag } from '../../flag/notify-flag.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';
import type { ColorChoice } from '../../print/color.js';

export interface TuiFlags extends StoreFlag, NotifyFlag {
  readonly color: ColorChoice;
}

export const tui = buildCommand<TuiFlags, [], Context>({
  docs: {
    brief: 'All sessions on this screen: look, answer, steer',
    fullDescription: `Fills the terminal with two panels: on the left the sessions, those that wait for you first, then what works, is parked, unknown, and what
ended today; on the right one of them with its conversation, its tools and what they printed, its thoughts, its changes and its numbers.
Whichever terminal or server started an agent, it is answered and steered from here. What agents do without glassbox is followed as glassbox
watch does, where the store is a file of this machine.

  glassbox                                  the same, on a terminal and without a pipe
  glassbox tui --store shared.db            of another store
  glassbox tui --notify tell-me             start this program when one of them waits or has ended

↑ ↓ choose a session, Tab the next one that waits, ⏎ and Esc go in and out, 1 to 5 are the tabs, / searches, ? lists all keys, q leaves.
y allows what is asked, n does not; s says something, i interrupts, x twice ends it, r goes on with one that has ended, b takes its files back
to a turn. Agents go on when you leave, but for those that were resumed here. It needs 30 columns and 10 rows.`,
  },
  parameters: { flags: { ...notifyFlag, ...colorFlag, ...storeFlag } },
  loader: async () => (await import('./open-panels.js')).openPanels,
});
