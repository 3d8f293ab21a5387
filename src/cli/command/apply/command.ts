/** `glassbox apply ATTEMPT`: what one attempt of a comparison changed, into the user's own files. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type ColorFlag, colorFlag } from '../../flag/color-flag.js';
import { type ConfirmFlags, confirmAliases, confirmFlags } from '../../flag/confirm-flag.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export interface ApplyFlags extends ConfirmFlags, StoreFlag, ColorFlag {
  readonly undo?: boolean;
  readonly json?: boolean;
}

export const apply = buildCommand<ApplyFlags, [string], Context>({
  docs: {
    brief: 'Bring what one attempt of a comparison changed into your files',
    fullDescription: `Shows the difference and asks. When a file was changed here since, nothing is done, and the file is named: then merge the
branch of the attempt, or put your own changes aside. Index, branches and HEAD stay as they are.

  glassbox apply x4kd2p/3             attempt 3 of the comparison; glassbox comparisons lists them
  glassbox apply k7qd                 the same, by the session of the attempt
  glassbox apply x4kd2p/3 --undo      takes it back`,
  },
  parameters: {
    flags: {
      undo: { kind: 'boolean', optional: true, withNegated: false, brief: 'Take it back' },
      json: {
        kind: 'boolean',
        optional: true,
        withNegated: false,
        brief: 'What would change as JSON; with --yes what was done',
      },
      ...confirmFlags,
      ...colorFlag,
      ...storeFlag,
    },
    aliases: confirmAliases,
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, placeholder: 'attempt', brief: 'The comparison, a slash and a number; or a session' },
      ],
    },
  },
  loader: async () => (await import('./apply-attempt.js')).applyAttempt,
});
