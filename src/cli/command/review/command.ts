/** `glassbox review ID`: comment on lines of a session's changes, and send that to its agent. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type ConfirmFlags, confirmFlags } from '../../flag/confirm-flag.js';
import { parseText } from '../../flag/parse-text.js';
import { viewAliases } from '../../flag/view-flag.js';
import { type StartFlags, startFlags } from '../run/command.js';

export interface ReviewFlags extends Omit<StartFlags, 'cwd' | 'promptFile'>, ConfirmFlags {
  readonly list?: boolean;
  readonly print?: boolean;
  readonly from?: string;
}

const { cwd: _, promptFile: __, ...flags } = startFlags;
const flag = { kind: 'boolean', optional: true, withNegated: false } as const;

export const review = buildCommand<ReviewFlags, [string?], Context>({
  docs: {
    brief: 'Comment on lines of a session’s changes, and send that to its agent',
    fullDescription: `Opens your editor (VISUAL, EDITOR) with all that the session changed. A line that begins with > is a comment on the line above it,
>3 on the three lines above it. What will be sent is shown first: one message with path, lines, quoted code and what you say.

  glassbox review k7qd                    in the editor; without an id the latest session here
  glassbox review k7qd --list             comments so far, and whether their lines changed since
  glassbox review k7qd --print > r.txt    the text to be commented, without an editor
  glassbox review k7qd --from r.txt       what became of it (- reads stdin)
  glassbox review k7qd --dry-run          only shows what would be sent; the comments are kept

An agent that works hears it as any other message. A session that has ended goes on with it, under the permission and with the model that it
had, unless you say otherwise. Comments that are not sent are kept, on this machine.`,
  },
  parameters: {
    flags: {
      ...flags,
      list: { ...flag, brief: 'Show the comments, and whether their lines changed' },
      print: { ...flag, brief: 'Print the text to be commented' },
      from: {
        kind: 'parsed',
        parse: parseText,
        optional: true,
        placeholder: 'file',
        brief: 'Read the commented text from a file',
      },
      ...confirmFlags,
    },
    aliases: { ...viewAliases, m: 'model', y: 'yes' },
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, optional: true, placeholder: 'id', brief: 'Which session (default: the latest here)' },
      ],
    },
  },
  loader: async () => (await import('./review-session.js')).reviewSession,
});
