/** `glassbox apply WORK`: what was done in a work tree, by an attempt of a comparison or by a run, into the user's own files. */
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
    brief: 'Bring what was done in a work tree into your files',
    fullDescription: `Shows the difference and asks. When a file was changed here since, nothing is done, and the file is named: then put your own
changes aside, or take it over by hand. Committed there or not, all of it comes. Index, branches and HEAD stay as they are.

  glassbox apply x4kd2p               the work tree of a run or a fork; glassbox worktrees lists them
  glassbox apply x4kd2p/3             attempt 3 of a comparison; glassbox comparisons lists them
  glassbox apply k7qd                 the same, by the session
  glassbox apply x4kd2p --undo        takes it back`,
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
        { parse: String, placeholder: 'work', brief: 'A work tree; a comparison, a slash and a number; or a session' },
      ],
    },
  },
  loader: async () => (await import('./apply-attempt.js')).applyAttempt,
});
