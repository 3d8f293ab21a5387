/** `glassbox ps`: which agents are live now. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { colorFlag } from '../../flag/color-flag.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';
import type { ColorChoice } from '../../print/color.js';

export interface PsFlags extends StoreFlag {
  readonly json?: boolean;
  readonly color: ColorChoice;
}

export const ps = buildCommand<PsFlags, [], Context>({
  docs: {
    brief: 'List the agents that are live, those that wait first',
    fullDescription: `Lists the sessions whose agent is there, with what it does and what those that wait ask for: those of glassbox, whichever terminal or
server started them, and those that were started without it. Of those the agent's own id is shown, unless they were imported; pid-4711 is a process
whose agent has written nothing yet.

  glassbox ps
  glassbox ps --json                        for programs, one JSON object a line, with the questions and the evidence

What the states mean, and how one is known: glassbox why-state --help. Then: glassbox next, glassbox say k7qd "…", glassbox interrupt k7qd, glassbox stop k7qd, glassbox wait k7qd.`,
  },
  parameters: {
    flags: {
      json: { kind: 'boolean', optional: true, brief: 'As JSON, one session a line' },
      ...colorFlag,
      ...storeFlag,
    },
  },
  loader: async () => (await import('./list-live.js')).listLive,
});
