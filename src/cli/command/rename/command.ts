/** `glassbox rename ID NAME`: call a session by a name of your own. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type ConfirmFlags, confirmAliases, confirmFlags } from '../../flag/confirm-flag.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export type RenameFlags = ConfirmFlags & StoreFlag;

export const rename = buildCommand<RenameFlags, string[], Context>({
  docs: {
    brief: 'Give a session a name of your own',
    fullDescription: `The name stands wherever the session is listed, instead of its prompt or the title that the agent gave it, and sessions are found by it. It asks
before a name that you gave earlier goes.

  glassbox rename k7qd3m "Login, second try"
  glassbox rename k7qd3m                    takes the name back`,
  },
  parameters: {
    flags: { ...confirmFlags, ...storeFlag },
    aliases: confirmAliases,
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: { parse: String, placeholder: 'id and name', brief: 'Which session, and what to call it' },
    },
  },
  loader: async () => (await import('./rename-session.js')).renameSession,
});
