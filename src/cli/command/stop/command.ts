/** `glassbox stop [ID]`: end an agent that works. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export const stop = buildCommand<StoreFlag, [string?], Context>({
  docs: {
    brief: 'End an agent that works',
    fullDescription: `Ends the run of a session, in whichever terminal or server it was started, as Ctrl-C twice does there: the agent is asked to end,
then told, then killed, with everything that it started.

  glassbox stop                             the only one that runs
  glassbox stop k7qd                        this one

What it did is kept, and glassbox resume goes on with it.`,
  },
  parameters: {
    flags: storeFlag,
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, optional: true, placeholder: 'id', brief: 'Which session; without it the only one that runs' },
      ],
    },
  },
  loader: async () => (await import('./stop-session.js')).stopSession,
});
