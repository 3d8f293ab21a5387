/** `glassbox archive ID…`: put sessions away. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export interface ArchiveFlags extends StoreFlag {
  readonly off?: boolean;
}

export const archive = buildCommand<ArchiveFlags, string[], Context>({
  docs: {
    brief: 'Put sessions away: listed apart, and kept',
    fullDescription: `An archived session is not in glassbox sessions nor in the page's list. Nothing of it is removed: it is found, shown, resumed and counted as
before, and a session that goes on is back by itself.

  glassbox archive k7qd3m b4x
  glassbox archive k7qd3m --off
  glassbox sessions --archived`,
  },
  parameters: {
    flags: {
      off: { kind: 'boolean', optional: true, withNegated: false, brief: 'Bring it back' },
      ...storeFlag,
    },
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: { parse: String, placeholder: 'ids', brief: 'Sessions, each by its id or the beginning of it' },
    },
  },
  loader: async () => (await import('./archive-sessions.js')).archiveSessions,
});
