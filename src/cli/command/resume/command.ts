/** `glassbox resume [ID] PROMPT`: continue a session. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { viewAliases } from '../../flag/view-flag.js';
import { type StartFlags, startFlags } from '../run/command.js';

export interface ResumeFlags extends StartFlags {
  readonly fork?: boolean;
}

export const resume = buildCommand<ResumeFlags, string[], Context>({
  docs: {
    brief: 'Continue a session, this one or an old one',
    fullDescription: `Continues a session that was kept or imported, with the agent and in the directory that it had.

  glassbox resume "And now the docs"        the latest session in this directory
  glassbox resume k7qd "And now the docs"   another one, by its id or the beginning of it
  glassbox resume k7qd "Try it another way" --fork

It says first which session that is. A first word before others that looks like an id must be one. A start that failed
is never the latest. See glassbox sessions and glassbox search for the ids.`,
  },
  parameters: {
    flags: {
      ...startFlags,
      fork: { kind: 'boolean', optional: true, brief: 'Leave the session as it is and go on in a copy' },
    },
    aliases: { ...viewAliases, f: 'promptFile', m: 'model' },
    positional: {
      kind: 'array',
      parameter: { parse: String, placeholder: '[id] and prompt', brief: 'Which session, and what to say' },
    },
  },
  loader: async () => (await import('./resume-agent.js')).resumeAgent,
});
