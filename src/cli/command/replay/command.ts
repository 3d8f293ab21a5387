/** `glassbox replay FILE|ID`: what was recorded or kept, as it happened. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type AgentFlag, agentFlag } from '../../flag/agent-flag.js';
import { type FormatFlag, formatFlag } from '../../flag/format-flag.js';
import { type SpeedFlag, speedFlag } from '../../flag/speed-flag.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';
import { type ViewFlags, viewAliases, viewFlags } from '../../flag/view-flag.js';

export type ReplayFlags = ViewFlags & FormatFlag & AgentFlag & SpeedFlag & StoreFlag;

export const replay = buildCommand<ReplayFlags, [string?], Context>({
  docs: {
    brief: 'Show a kept session or a recording as it happened',
    fullDescription: `Shows a session or a recorded run with the pauses it had, on a terminal as it looked there. Between turns and runs, when no agent
worked, a pause is a second. The times of a file come from FILE.meta.json ("lineMs") or from events that were printed with --json; a
recording without times is shown at a steady pace.

  glassbox replay                           the latest session of this directory
  glassbox replay k7qd --speed 10           a session with all its runs (see glassbox sessions)
  glassbox replay run.jsonl
  glassbox replay run.jsonl --speed 4 --thinking`,
  },
  parameters: {
    flags: { ...viewFlags, ...formatFlag, ...agentFlag, ...speedFlag, ...storeFlag },
    aliases: viewAliases,
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: String,
          placeholder: 'file or id',
          brief: 'What to show; without it the latest session here',
          optional: true,
        },
      ],
    },
  },
  loader: async () => (await import('./replay-recorded.js')).replayRecorded,
});
