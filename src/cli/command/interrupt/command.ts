/** `glassbox interrupt [ID]`: stop the current turn of an agent. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export const interrupt = buildCommand<StoreFlag, [string?], Context>({
  docs: {
    brief: 'Stop what an agent does now; its session goes on',
    fullDescription: `Stops the current turn of a session that is running, in whichever terminal or server it was started.

  glassbox interrupt                        the only one that runs
  glassbox interrupt k7qd                   this one

A conversation that is kept open goes on afterwards; glassbox stop ends it.`,
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
  loader: async () => (await import('./interrupt-session.js')).interruptSession,
});
