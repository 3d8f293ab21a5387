/** `glassbox doctor`: which agents are here, what they can do, what is missing, what is configured. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export interface DoctorFlags extends StoreFlag {
  readonly verbose?: boolean;
  readonly json?: boolean;
}

export const doctor = buildCommand<DoctorFlags, [], Context>({
  docs: {
    brief: 'Which agents are here, and what is configured',
    fullDescription: `Looks for every agent that glassbox knows, asks each for its version, and says first in one line whether something is wrong; then the store, the agents that
are here, those that are not, and the configuration as it would be used here. Starts no model and costs nothing. It ends with 0 when nothing is wrong, 2 when the
configuration makes no sense, 3 when the store cannot be used, 127 when there is no agent.

Agents change faster than glassbox. Lines, blocks and fields that it did not know are counted in the store by the version of the agent that
printed them, and doctor lists those of the last 30 days. They are left out of what you see; everything around them is there.`,
  },
  parameters: {
    flags: {
      verbose: { kind: 'boolean', optional: true, brief: 'Also the capability ids of the universal API' },
      json: { kind: 'boolean', optional: true, brief: 'As JSON' },
      ...storeFlag,
    },
    aliases: { V: 'verbose' },
  },
  loader: async () => (await import('./run-doctor.js')).runDoctor,
});
