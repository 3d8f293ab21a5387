/** `glassbox why-state [ID]`: what a session does, and how that is known. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export interface WhyStateFlags extends StoreFlag {
  readonly json?: boolean;
}

export const whyState = buildCommand<WhyStateFlags, [string?], Context>({
  docs: {
    brief: 'Say what a session does now, and how that is known',
    fullDescription: `Prints the state of a session, what speaks for it and what speaks against it, each with its source and its age.

  glassbox why-state k7qd                   of a session that is kept
  glassbox why-state 51e8d126               of one that glassbox did not start, by its agent's own id, as ps shows it
  glassbox why-state --json                 of the only one that is live, as one JSON object

  working   it does something
  waiting   it does nothing until somebody has answered; what it waits for stands behind it
  idle      its turn is over, and its program is there
  parked    it holds still and could go on: its process is stopped, its program has put it aside, or a limit stopped it
  ended     nothing runs it any more
  unknown   nobody says enough to tell`,
  },
  parameters: {
    flags: {
      json: { kind: 'boolean', optional: true, brief: 'As one JSON object' },
      ...storeFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: String,
          optional: true,
          placeholder: 'id',
          brief: 'Which session; without it the only one that is live',
        },
      ],
    },
  },
  loader: async () => (await import('./explain-state.js')).explainState,
});
