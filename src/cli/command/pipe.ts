/** `… | glassbox`: what an agent prints, live. */
import { buildCommand } from '@stricli/core';
import { type AgentFlag, agentFlag } from '../agent-flag.js';
import type { Context } from '../context.js';
import { type ViewFlags, viewAliases, viewFlags } from '../view-flag.js';

export const pipe = buildCommand<ViewFlags & AgentFlag, [], Context>({
  docs: {
    brief: 'Show what an agent prints, live, from a pipe',
    fullDescription: `Reads an agent's stream from standard input and prints it as it comes. The agent is recognised from its first lines.

  claude -p "Fix the tests" --output-format stream-json --verbose | glassbox

The exit status says how the agent ended (see glassbox --help). What is no agent's stream is passed through as it is.`,
  },
  parameters: { flags: { ...viewFlags, ...agentFlag }, aliases: viewAliases },
  loader: async () => (await import('../show-pipe.js')).showPipe,
});
