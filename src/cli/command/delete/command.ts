/** `glassbox delete ID…`: remove sessions for good. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type ConfirmFlags, confirmAliases, confirmFlags } from '../../flag/confirm-flag.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export type DeleteFlags = ConfirmFlags & StoreFlag;

export const deleteCommand = buildCommand<DeleteFlags, string[], Context>({
  docs: {
    brief: 'Remove the sessions that you name, for good',
    fullDescription: `Shows the sessions and asks before they are gone, with all that was kept of them. What the agent itself keeps stays, and glassbox import brings it
back. One that is running is not removed: glassbox stop ends it.

  glassbox delete k7qd3m
  glassbox delete k7qd3m b4x --dry-run      only say what would go
  glassbox delete k7qd3m --yes              for scripts, which cannot be asked

To make room see glassbox prune.`,
  },
  parameters: {
    flags: { ...confirmFlags, ...storeFlag },
    aliases: confirmAliases,
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: { parse: String, placeholder: 'ids', brief: 'Sessions, each by its id or the beginning of it' },
    },
  },
  loader: async () => (await import('./delete-sessions.js')).deleteSessions,
});
