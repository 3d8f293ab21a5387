/** `glassbox worktrees`: the folders that runs had for themselves. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type ColorFlag, colorFlag } from '../../flag/color-flag.js';
import { type ConfirmFlags, confirmAliases, confirmFlags } from '../../flag/confirm-flag.js';

export interface WorktreesFlags extends ConfirmFlags, ColorFlag {
  readonly remove?: boolean;
  readonly json?: boolean;
}

export const worktrees = buildCommand<WorktreesFlags, string[], Context>({
  docs: {
    brief: 'List the work trees of glassbox run --worktree, or remove some',
    fullDescription: `A run with --worktree has a folder and a branch of its own. When nothing changed there it is removed by itself; what is left
is listed here. glassbox apply brings it into your files; git merge takes only what was committed on its branch.

  glassbox worktrees
  glassbox apply k7qdmx                     brings what was done there into your files
  glassbox worktrees k7qdmx --remove        with its branch and all that is in it

What it copies of files that git ignores is worktree.copy in glassbox.json.`,
  },
  parameters: {
    flags: {
      remove: {
        kind: 'boolean',
        optional: true,
        withNegated: false,
        brief: 'Remove the ones that are named, for good',
      },
      json: { kind: 'boolean', optional: true, withNegated: false, brief: 'As JSON, one a line' },
      ...confirmFlags,
      ...colorFlag,
    },
    aliases: confirmAliases,
    positional: {
      kind: 'array',
      parameter: { parse: String, placeholder: 'names', brief: 'Which ones (default: all)' },
    },
  },
  loader: async () => (await import('./list-worktrees.js')).listWorktrees,
});
