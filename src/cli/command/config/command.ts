/** `glassbox config`: what is in force here, and from which file. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';

export interface ConfigFlags {
  readonly json?: boolean;
}

export const config = buildCommand<ConfigFlags, [], Context>({
  docs: {
    brief: 'What is configured here, and in which file',
    fullDescription: `Prints every setting that is in force in this directory under the place that sets it: the environment, the project's glassbox.json, your own file. What a
stronger place overrides is told too. Values of variables and secrets are not printed. It ends with status 2 when something makes no sense.

  glassbox config
  glassbox config --json

Your own file is ~/.config/glassbox/glassbox.json, or what GLASSBOX_CONFIG names; glassbox init makes one.`,
  },
  parameters: { flags: { json: { kind: 'boolean', optional: true, brief: 'As JSON' } } },
  loader: async () => (await import('./show-config.js')).showConfig,
});
