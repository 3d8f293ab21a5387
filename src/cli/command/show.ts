/** `glassbox show FILE|ID…`: what was recorded or kept, at once. */
import { buildCommand } from '@stricli/core';
import { type AgentFlag, agentFlag } from '../agent-flag.js';
import type { Context } from '../context.js';
import { type StoreFlag, storeFlag } from '../store-flag.js';
import { type ViewFlags, viewAliases, viewFlags } from '../view-flag.js';

export type ShowFlags = ViewFlags & AgentFlag & StoreFlag;

export const show = buildCommand<ShowFlags, string[], Context>({
  docs: {
    brief: 'Show runs again: kept sessions by their id, recordings by their file',
    fullDescription: `Prints what was kept or recorded: a session by its id or the beginning of it, and files with the output of an agent or
with events that glassbox printed with --json.

  glassbox show k7qd --verbose              a session, with all its runs (see glassbox sessions)
  glassbox show latest --json               the events of the latest one
  glassbox show run.jsonl --verbose
  glassbox show runs/*.jsonl --quiet

A word that is the name of a file means the file. Files are only shown, never kept.`,
  },
  parameters: {
    flags: { ...viewFlags, ...agentFlag, ...storeFlag },
    aliases: viewAliases,
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: { parse: String, placeholder: 'file or id', brief: 'What to show' },
    },
  },
  loader: async () => (await import('../show-recorded.js')).showRecorded,
});
