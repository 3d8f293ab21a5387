/** `glassbox hooks`: sessions that were started without glassbox tell of themselves, and their questions can be answered here. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';

export interface HooksFlags {
  readonly deny?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

const VERBS = ['install', 'status', 'remove'] as const;
export type Verb = (typeof VERBS)[number];

const flag = { kind: 'boolean', optional: true, withNegated: false } as const;

export const hooks = buildCommand<HooksFlags, [Verb, string?], Context>({
  docs: {
    brief: 'Let sessions that you start by hand report and ask here',
    fullDescription: `Writes small commands into your own settings of the agents that you use (Claude Code, Gemini CLI, Qwen Code), never into those of a
project. They tell glassbox what happens in every session. Those of Claude Code also bring its questions to the page of glassbox serve,
where they can be answered; its own dialog stays, and whoever answers first decides. The others only tell. When glassbox does not run
they do nothing, print nothing and leave no trace. Comments, other hooks, links and modes stay; remove gives back the very bytes if
nobody changed the file since.

  glassbox hooks install --dry-run          what would be written
  glassbox hooks install
  glassbox hooks install qwen               only this one
  glassbox hooks status
  glassbox hooks remove

With --deny your deny rules also hold in sessions of Claude Code that would not ask, as long as glassbox serve runs; when it does not, they do not.`,
  },
  parameters: {
    flags: {
      deny: { ...flag, brief: 'Refuse what your deny rules forbid, before it happens' },
      dryRun: { ...flag, brief: 'Show the difference and write nothing' },
      yes: { ...flag, brief: 'Do not ask first' },
    },
    aliases: { y: 'yes' },
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: parseVerb, placeholder: 'what', brief: VERBS.join(', ') },
        { parse: String, placeholder: 'agent', brief: 'Only of this agent', optional: true },
      ],
    },
  },
  loader: async () => (await import('./change-hooks.js')).changeHooks,
});

function parseVerb(written: string): Verb {
  const verb = VERBS.find((one) => one === written);
  if (!verb) throw new SyntaxError(`Write one of ${VERBS.join(', ')}, not ${written}`);
  return verb;
}
