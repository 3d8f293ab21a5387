/** `glassbox comparisons`: what was compared, and how it went. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type ColorFlag, colorFlag } from '../../flag/color-flag.js';
import { type ConfirmFlags, confirmAliases, confirmFlags } from '../../flag/confirm-flag.js';

export interface ComparisonsFlags extends ConfirmFlags, ColorFlag {
  readonly remove?: boolean;
  readonly json?: boolean;
}

export const comparisons = buildCommand<ComparisonsFlags, string[], Context>({
  docs: {
    brief: 'List the comparisons of agents, or show one',
    fullDescription: `What glassbox compare did on this machine, also while it goes on.

  glassbox comparisons
  glassbox comparisons x4kd2p              its table
  glassbox comparisons x4kd2p --remove     with the work trees of its attempts and all that is in them

The sessions of the attempts stay; glassbox show reads one.`,
  },
  parameters: {
    flags: {
      remove: { kind: 'boolean', optional: true, withNegated: false, brief: 'Remove the one that is named, for good' },
      json: { kind: 'boolean', optional: true, withNegated: false, brief: 'As JSON, one a line' },
      ...confirmFlags,
      ...colorFlag,
    },
    aliases: confirmAliases,
    positional: {
      kind: 'array',
      maximum: 1,
      parameter: { parse: String, placeholder: 'id', brief: 'Which one (default: all)' },
    },
  },
  loader: async () => (await import('./list-comparisons.js')).listComparisons,
});
