/** `glassbox show FILE…`: recordings, at once. */
import { buildCommand } from '@stricli/core';
import { type AgentFlag, agentFlag } from '../agent-flag.js';
import type { Context } from '../context.js';
import { type ViewFlags, viewAliases, viewFlags } from '../view-flag.js';

export const show = buildCommand<ViewFlags & AgentFlag, string[], Context>({
  docs: {
    brief: 'Show recorded runs',
    fullDescription: `Prints what was recorded in files: the output of an agent, or events that glassbox printed with --json.

  glassbox show run.jsonl --verbose
  glassbox show runs/*.jsonl --quiet
  glassbox show run.jsonl --json > events.jsonl`,
  },
  parameters: {
    flags: { ...viewFlags, ...agentFlag },
    aliases: viewAliases,
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: { parse: String, placeholder: 'file', brief: 'Files to show' },
    },
  },
  loader: async () => (await import('../show-files.js')).showFiles,
});
