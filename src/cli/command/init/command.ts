/** `glassbox init`: everything that makes the first run easy. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type ConfirmFlags, confirmAliases, confirmFlags } from '../../flag/confirm-flag.js';
import { parseText } from '../../flag/parse-text.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export interface InitFlags extends ConfirmFlags, StoreFlag {
  readonly agent?: string;
}

export const init = buildCommand<InitFlags, [], Context>({
  docs: {
    brief: 'Set glassbox up: default agent, history, completion',
    fullDescription: `Looks which agents are here and asks, one after the other: which of them is meant when none is named (in your own file, so that glassbox run "Fix it"
works), whether to import the sessions that they left, and whether Tab shall complete in your shell. Nothing is changed without a yes.

  glassbox init
  glassbox init --dry-run                   only say what could be done
  glassbox init --yes --agent claude        for scripts: yes to all of it`,
  },
  parameters: {
    flags: {
      agent: {
        kind: 'parsed',
        parse: parseText,
        optional: true,
        placeholder: 'name',
        brief: 'The agent that is meant when none is named',
      },
      ...confirmFlags,
      ...storeFlag,
    },
    aliases: confirmAliases,
  },
  loader: async () => (await import('./set-up.js')).setUp,
});
