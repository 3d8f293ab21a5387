/** `glassbox why FILE:LINE`: who made a line, and why. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type ColorFlag, colorFlag } from '../../flag/color-flag.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export interface WhyFlags extends StoreFlag, ColorFlag {
  readonly json?: boolean;
}

export const why = buildCommand<WhyFlags, [string], Context>({
  docs: {
    brief: 'Say who made a line of a file, and why',
    fullDescription: `Follows the line back through the files that are kept before and after each turn, and tells the session, what was asked, what the agent
said before the call, who allowed it, and what the turn cost.

  glassbox why src/app.ts:42
  glassbox why src/app.ts:42 --json

What nothing proves is said to be unknown, with what could have made it: a command or a person that wrote while an agent worked leaves no
record. What a rewind put back is told as that. A line that was changed while no agent worked is a person's or another program's, and it is said
whose line that was before. Lines that are older than what is kept are told by their commit.`,
  },
  parameters: {
    flags: {
      json: { kind: 'boolean', optional: true, withNegated: false, brief: 'As one JSON object' },
      ...colorFlag,
      ...storeFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [{ parse: String, placeholder: 'file:line', brief: 'Which line of which file, as it is now' }],
    },
  },
  loader: async () => (await import('./explain-line.js')).explainLine,
});
