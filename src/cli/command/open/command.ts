/** `glassbox open [ID]`: a session in the agent's own program. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export interface OpenFlags extends StoreFlag {
  readonly print?: boolean;
}

export const open = buildCommand<OpenFlags, [string?], Context>({
  docs: {
    brief: 'Go on with a session in the agent’s own interactive program',
    fullDescription: `Hands a kept session over to the program that it came from, in the directory that it had: for what only that program can
show or do. When it ends, what happened there is read in from what the program wrote down, where glassbox can read that.

  glassbox open                             the latest session of this directory
  glassbox open k7qd                        another one, by its id or the beginning of it
  glassbox open k7qd --print                only say which command that is`,
  },
  parameters: {
    flags: {
      print: { kind: 'boolean', optional: true, brief: 'Print the command instead of starting it' },
      ...storeFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [{ parse: String, placeholder: 'id', optional: true, brief: 'Which session' }],
    },
  },
  loader: async () => (await import('./open-session.js')).openSession,
});
