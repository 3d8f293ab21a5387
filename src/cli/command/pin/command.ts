/** `glassbox pin ID…`: keep sessions. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type ConfirmFlags, confirmAliases, confirmFlags } from '../../flag/confirm-flag.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export interface PinFlags extends ConfirmFlags, StoreFlag {
  readonly off?: boolean;
}

export const pin = buildCommand<PinFlags, string[], Context>({
  docs: {
    brief: 'Keep sessions: never pruned, and listed first',
    fullDescription: `A pinned session stands before the others in glassbox sessions, and glassbox prune leaves it. It asks before a pin is taken away.

  glassbox pin k7qd3m b4x
  glassbox pin k7qd3m --off
  glassbox sessions --pinned`,
  },
  parameters: {
    flags: {
      off: { kind: 'boolean', optional: true, withNegated: false, brief: 'Take the pin away' },
      ...confirmFlags,
      ...storeFlag,
    },
    aliases: confirmAliases,
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: { parse: String, placeholder: 'ids', brief: 'Sessions, each by its id or the beginning of it' },
    },
  },
  loader: async () => (await import('./pin-sessions.js')).pinSessions,
});
