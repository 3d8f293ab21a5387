/** `glassbox show FILE|ID…`: what was recorded or kept, at once. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type AgentFlag, agentFlag } from '../../flag/agent-flag.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';
import { type ViewFlags, viewAliases, viewFlags } from '../../flag/view-flag.js';

const FORMATS = ['auto', 'conversation', 'plain', 'lines'] as const;

export type ShowFlags = ViewFlags &
  AgentFlag &
  StoreFlag & {
    readonly format: (typeof FORMATS)[number];
    readonly full?: boolean;
    readonly pager: boolean;
  };

export const show = buildCommand<ShowFlags, string[], Context>({
  docs: {
    brief: 'Show runs again: kept sessions by their id, recordings by their file',
    fullDescription: `Prints what was kept or recorded: a session by its id or the beginning of it, and files with the output of an agent or
with events that glassbox printed with --json.

  glassbox show                             the latest session of this directory, as a conversation
  glassbox show k7qd --full                 a session with all its runs, thoughts and outputs (see glassbox sessions)
  glassbox show k7qd --format lines -V      a line for each step, as glassbox run prints them
  glassbox show latest --json               the events of the latest one
  glassbox show run.jsonl --verbose
  glassbox show runs/*.jsonl --quiet

On a terminal it reads like the conversation, by the pager where it is long (GLASSBOX_PAGER, PAGER, less). In a pipe, and with
--verbose, --quiet or --progress, it is lines. A word that is the name of a file means the file. Files are only shown, never kept.`,
  },
  parameters: {
    flags: {
      ...viewFlags,
      format: {
        kind: 'enum',
        values: FORMATS,
        default: 'auto',
        brief: 'A conversation; plain: in words, for screen readers; lines: one for each step',
      },
      full: { kind: 'boolean', optional: true, withNegated: false, brief: 'Outputs to their end, and thoughts' },
      pager: { kind: 'boolean', default: true, brief: 'Show what is long by the pager' },
      ...agentFlag,
      ...storeFlag,
    },
    aliases: viewAliases,
    positional: {
      kind: 'array',
      parameter: {
        parse: String,
        placeholder: 'file or id',
        brief: 'What to show; without it the latest session here',
      },
    },
  },
  loader: async () => (await import('./show-recorded.js')).showRecorded,
});
