/** `glassbox fork ID@TURN --agent NAME`: another agent takes a session over, in a folder of its own. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { parseText } from '../../flag/parse-text.js';
import { viewAliases } from '../../flag/view-flag.js';
import { type StartFlags, startFlags } from '../run/command.js';

export interface ForkFlags extends Omit<StartFlags, 'cwd'> {
  readonly agent: string;
  readonly brief?: boolean;
}

const { cwd: _, ...flags } = startFlags;

export const fork = buildCommand<ForkFlags, string[], Context>({
  docs: {
    brief: 'Let another agent take a session over, from a turn of it',
    fullDescription: `Gives the other agent a work tree with the files as that turn left them (see glassbox worktrees), and a brief that is made of what
is known: what was asked, done and decided, what is open. The session itself stays as it is.

  glassbox fork k7qd@2 --agent codex
  glassbox fork k7qd --agent codex "Finish the tests only"     from its last turn
  glassbox fork k7qd@2 --agent codex --brief                   only prints what it would be told

The brief is bounded, and has no secrets that glassbox knew of. In the same agent, glassbox resume --fork keeps the whole conversation.`,
  },
  parameters: {
    flags: {
      ...flags,
      agent: { kind: 'parsed', parse: parseText, placeholder: 'name', brief: 'Which agent takes it over' },
      brief: { kind: 'boolean', optional: true, withNegated: false, brief: 'Print what it would be told, and end' },
    },
    aliases: { ...viewAliases, f: 'promptFile', m: 'model' },
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: {
        parse: String,
        placeholder: 'id@turn and [prompt]',
        brief: 'Which session and turn (default: its last), and what to do now (default: go on)',
      },
    },
  },
  loader: async () => (await import('./fork-session.js')).forkSession,
});
