/** `glassbox import`: the history that agents left on disk. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../context.js';
import { type StoreFlag, storeFlag } from '../store-flag.js';

export interface ImportFlags extends StoreFlag {
  readonly agent?: string;
  readonly json?: boolean;
}

export const importCommand = buildCommand<ImportFlags, string[], Context>({
  docs: {
    brief: 'Bring in the history that agents left on this machine',
    fullDescription: `Reads the sessions that an agent's own program wrote to disk, with sub-agents and costs, so that sessions, search and
cost know them and resume can continue them. Nothing is changed there. Repeat it as often as you like: only what is new is read.

  glassbox import                           from where the agents keep it
  glassbox import ~/backup/.claude/projects`,
  },
  parameters: {
    flags: {
      agent: { kind: 'parsed', parse: String, optional: true, placeholder: 'name', brief: 'Only of this agent' },
      json: { kind: 'boolean', optional: true, brief: 'The result as JSON' },
      ...storeFlag,
    },
    positional: {
      kind: 'array',
      maximum: 1,
      parameter: { parse: String, placeholder: 'folder', brief: 'Where to look, instead of the usual places' },
    },
  },
  loader: async () => (await import('../import-history.js')).importHistory,
});
