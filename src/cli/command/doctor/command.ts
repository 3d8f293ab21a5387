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
    fullDescription: `Looks for every agent that glassbox knows, asks each for its version, and prints the configuration as it would be used
here, with where each part of it comes from. Starts no model and costs nothing.

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
