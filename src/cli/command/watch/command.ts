/** `glassbox watch [ID]`: what agents do, while they do it, whoever started them. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type FormatFlag, formatFlag } from '../../flag/format-flag.js';
import { type NotifyFlag, notifyFlag } from '../../flag/notify-flag.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';
import { type ViewFlags, viewAliases, viewFlags } from '../../flag/view-flag.js';

export interface WatchFlags extends StoreFlag, ViewFlags, FormatFlag, NotifyFlag {
  readonly all?: boolean;
}

export const watch = buildCommand<WatchFlags, [string?], Context>({
  docs: {
    brief: 'Follow what agents do now, whoever started them',
    fullDescription: `Prints what happens in one session, or with --all in every session of this machine, as it happens: of runs that glassbox
started anywhere, and of the agents' own programs in a terminal, an editor or elsewhere. These write their sessions to disk; glassbox
reads them there, changes nothing, and keeps what it read in the store, as glassbox import does. Ctrl-C ends the watching, not the agents.

  glassbox watch --all                      every agent of this machine
  glassbox watch k7qd                       one session, by its id or the beginning of it
  glassbox watch                            the only one that is at work
  glassbox watch --all --json               for programs, one event a line, with its session

What is not to be seen: watch.ignore and watch.agents in your configuration.`,
  },
  parameters: {
    flags: {
      all: { kind: 'boolean', optional: true, withNegated: false, brief: 'Every session of this machine' },
      ...viewFlags,
      ...formatFlag,
      ...notifyFlag,
      ...storeFlag,
    },
    aliases: viewAliases,
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, optional: true, placeholder: 'id', brief: 'Which session; without it the only one at work' },
      ],
    },
  },
  loader: async () => (await import('./watch-sessions.js')).watchSessions,
});
