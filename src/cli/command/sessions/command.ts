/** `glassbox sessions`: what was run. */
import { buildCommand } from '@stricli/core';
import type { RunState } from '../../../store/index.js';
import type { Context } from '../../context.js';
import { colorFlag } from '../../flag/color-flag.js';
import { type FilterFlags, filterFlags } from '../../flag/filter-flag.js';
import { parseCount } from '../../flag/parse-count.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';
import type { ColorChoice } from '../../print/color.js';
import { LATEST } from './latest.js';

export interface SessionsFlags extends FilterFlags, StoreFlag {
  readonly state?: RunState;
  readonly pinned?: boolean;
  readonly archived?: boolean;
  readonly limit: number;
  readonly json?: boolean;
  readonly color: ColorChoice;
}

export const sessions = buildCommand<SessionsFlags, string[], Context>({
  docs: {
    brief: 'List the sessions that were kept',
    fullDescription: `Lists sessions, those that are pinned first, then the last active: id, when, agent, state, how long it took, cost, model, folder, and what it was about. On a
narrow terminal what says less is left out. Those that are archived are listed by --archived alone.

  glassbox sessions                         the latest
  glassbox sessions --here --since 7d       in this directory, in the last week
  glassbox sessions login --outcome failed  about the login, and failed
  glassbox sessions --state waiting --json  for programs, one JSON object a line

The id, or its beginning, is what you type elsewhere: glassbox resume k7qd "And now the docs".`,
  },
  parameters: {
    flags: {
      ...filterFlags,
      state: { kind: 'enum', values: ['running', 'waiting', 'ended'], optional: true, brief: 'Only in this state' },
      pinned: { kind: 'boolean', optional: true, withNegated: false, brief: 'Only those that are pinned' },
      archived: { kind: 'boolean', optional: true, withNegated: false, brief: 'Only those that are archived' },
      limit: {
        kind: 'parsed',
        parse: parseCount,
        default: String(LATEST),
        placeholder: 'n',
        brief: 'How many at most',
      },
      json: { kind: 'boolean', optional: true, brief: 'As JSON, one session a line' },
      ...colorFlag,
      ...storeFlag,
    },
    aliases: { n: 'limit' },
    positional: {
      kind: 'array',
      parameter: { parse: String, placeholder: 'words', brief: 'Part of the prompt, the title or the path' },
    },
  },
  loader: async () => (await import('./list-sessions.js')).listSessions,
});
