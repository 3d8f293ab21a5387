/** `glassbox doctor`: which agents are here, what they can do, what is missing, what is configured. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../context.js';

export interface DoctorFlags {
  readonly verbose?: boolean;
  readonly json?: boolean;
}

export const doctor = buildCommand<DoctorFlags, [], Context>({
  docs: {
    brief: 'Which agents are installed, what they can do, and what is configured',
    fullDescription: `Looks for every agent that glassbox knows, asks each for its version, and prints the configuration as it would be used
here, with where each part of it comes from. Starts no model and costs nothing.`,
  },
  parameters: {
    flags: {
      verbose: { kind: 'boolean', optional: true, brief: 'Also the capability ids of the universal API' },
      json: { kind: 'boolean', optional: true, brief: 'As JSON' },
    },
    aliases: { V: 'verbose' },
  },
  loader: async () => (await import('../examine.js')).examine,
});
