/** `glassbox replay FILE`: a recording, as it happened. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type AgentFlag, agentFlag } from '../../flag/agent-flag.js';
import { type FormatFlag, formatFlag } from '../../flag/format-flag.js';
import { type SpeedFlag, speedFlag } from '../../flag/speed-flag.js';
import { type ViewFlags, viewAliases, viewFlags } from '../../flag/view-flag.js';

export type ReplayFlags = ViewFlags & FormatFlag & AgentFlag & SpeedFlag;

export const replay = buildCommand<ReplayFlags, [string], Context>({
  docs: {
    brief: 'Show a recorded run as it happened',
    fullDescription: `Shows a recorded run with the pauses it had, on a terminal as it looked there. The times come from FILE.meta.json ("lineMs") or from events
that were printed with --json; a recording without times is shown at a steady pace.

  glassbox replay run.jsonl
  glassbox replay run.jsonl --speed 4 --thinking`,
  },
  parameters: {
    flags: { ...viewFlags, ...formatFlag, ...agentFlag, ...speedFlag },
    aliases: viewAliases,
    positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'file', brief: 'The recording' }] },
  },
  loader: async () => (await import('./replay-file.js')).replayFile,
});
