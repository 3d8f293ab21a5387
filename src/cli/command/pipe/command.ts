/** `… | glassbox`: what an agent prints, live. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type AgentFlag, agentFlag } from '../../flag/agent-flag.js';
import { type FormatFlag, formatFlag } from '../../flag/format-flag.js';
import { type KeepFlags, keepFlags } from '../../flag/store-flag.js';
import { type ViewFlags, viewAliases, viewFlags } from '../../flag/view-flag.js';

export type PipeFlags = ViewFlags & FormatFlag & AgentFlag & KeepFlags;

export const pipe = buildCommand<PipeFlags, [], Context>({
  docs: {
    brief: 'Show what an agent prints, live, from a pipe, and keep it',
    fullDescription: `Reads an agent's stream from standard input and prints it as it comes. The agent is recognised from its first lines.

  claude -p "Fix the tests" --output-format stream-json --verbose | glassbox
  … | glassbox --no-store                   without keeping it

It is kept as a run is (see glassbox sessions); the same stream again is kept once. It can be watched, but not answered: for that
start the agent with glassbox run. The exit status says how the agent ended (see glassbox --help). What is no agent's stream is
passed through as it is.`,
  },
  parameters: { flags: { ...viewFlags, ...formatFlag, ...agentFlag, ...keepFlags }, aliases: viewAliases },
  loader: async () => (await import('./show-pipe.js')).showPipe,
});
