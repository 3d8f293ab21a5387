/** `glassbox go-on [ID]`: sessions that a limit of the account stopped go on. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { parseDuration } from '../../flag/parse-duration.js';
import { viewAliases } from '../../flag/view-flag.js';
import { type StartFlags, startFlags } from '../run/command.js';

export interface GoOnFlags extends Omit<StartFlags, 'goOn' | 'promptFile'> {
  readonly now?: boolean;
  readonly later?: number;
  readonly never?: boolean;
}

const { goOn: _, promptFile: __, ...flags } = startFlags;
const goOnTimes = {
  ...startFlags.goOnTimes,
  brief: 'Wait for so many more limits by itself (default: what it was begun with)',
};
const flag = { kind: 'boolean', optional: true, withNegated: false } as const;

export const goOn = buildCommand<GoOnFlags, [string?], Context>({
  docs: {
    brief: 'Go on with a session that a limit of the account stopped',
    fullDescription: `A run that is stopped by a limit of which the agent says when it ends is parked. Without an id this lists what is parked; with
one it waits here until the limit is over, a few minutes longer because many wait for the same moment, and goes on.

  glassbox go-on                     what is parked, and when it goes on
  glassbox go-on k7qd                waits here and goes on
  glassbox go-on k7qd --now          does not wait
  glassbox go-on k7qd --later 3h     not before that; whoever waits for it hears it
  glassbox go-on k7qd --never        it has ended as it did

A run with --go-on does it by itself, at most so many times (--go-on-times), within its budget. When its glassbox is gone, glassbox serve
goes on with it, in its projects.`,
  },
  parameters: {
    flags: {
      ...flags,
      goOnTimes,
      now: { ...flag, brief: 'Do not wait for the end of the limit' },
      later: {
        kind: 'parsed',
        parse: parseDuration,
        optional: true,
        placeholder: 'time',
        brief: 'Go on by itself in 90m, 3h; do not wait here',
      },
      never: { ...flag, brief: 'Do not go on any more' },
    },
    aliases: { ...viewAliases, m: 'model' },
    positional: {
      kind: 'tuple',
      parameters: [{ parse: String, placeholder: 'id', optional: true, brief: 'Which session (default: list them)' }],
    },
  },
  loader: async () => (await import('./go-on-with.js')).goOnWith,
});
