/** `glassbox import`: the history that agents left on disk. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { parseText } from '../../flag/parse-text.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export interface ImportFlags extends StoreFlag {
  readonly agent?: string;
  readonly json?: boolean;
}

export const importCommand = buildCommand<ImportFlags, string[], Context>({
  docs: {
    brief: 'Bring in the history that agents left on this machine',
    fullDescription: `Reads the sessions that the agents' own programs wrote to disk, in a terminal, an editor or elsewhere, so that sessions, search
and cost know them and resume can continue them: Claude Code, Codex, opencode, Kilo, Qwen Code, Copilot, Droid, Cline, Gemini,
pi and Kimi. Nothing is changed there, links are not followed, and only your own files are read. Repeat it as often as you like:
only what is new is read.

  glassbox import                           from where the agents keep it
  glassbox import --agent codex
  glassbox import ~/backup/.claude/projects`,
  },
  parameters: {
    flags: {
      agent: { kind: 'parsed', parse: parseText, optional: true, placeholder: 'name', brief: 'Only of this agent' },
      json: { kind: 'boolean', optional: true, brief: 'The result as JSON' },
      ...storeFlag,
    },
    positional: {
      kind: 'array',
      maximum: 1,
      parameter: { parse: String, placeholder: 'folder', brief: 'Where to look, instead of the usual places' },
    },
  },
  loader: async () => (await import('./import-history.js')).importHistory,
});
