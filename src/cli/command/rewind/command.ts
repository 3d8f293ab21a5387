/** `glassbox rewind ID@TURN`: take files back to what they were. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type ColorFlag, colorFlag } from '../../flag/color-flag.js';
import { type ConfirmFlags, confirmAliases, confirmFlags } from '../../flag/confirm-flag.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export interface RewindFlags extends ConfirmFlags, StoreFlag, ColorFlag {
  readonly before?: boolean;
  readonly patch?: boolean;
  readonly undo?: boolean;
  readonly filesOnly?: boolean;
  readonly json?: boolean;
}

export const rewind = buildCommand<RewindFlags, [string, ...string[]], Context>({
  docs: {
    brief: 'Take files back to what they were at a turn of a session',
    fullDescription: `Shows what would change and asks. Files become what they were, byte for byte, and nothing else does: not your index,
stash, branches or HEAD. What you or others changed meanwhile is marked, and kept: the rewind itself can be taken back.
When all files go back, the conversation does too, where the agent can: it goes on from that turn with your next message,
and knows nothing of what came after it. What cannot go back is said.

  glassbox rewind k7qd                     its turns, and what each changed
  glassbox rewind k7qd@2                   as turn 2 left the files; @0 is before the first
  glassbox rewind k7qd@2 --before          as they were before turn 2
  glassbox rewind k7qd@2 src/app.ts        only this file, named as it is listed; ./app.ts is from here
  glassbox rewind k7qd@2 --patch           asks for each part
  glassbox rewind k7qd@2 --files-only      the agent goes on with all that was said
  glassbox rewind k7qd --undo              takes the last rewind back

The files of kept runs are kept by themselves (see --checkpoints of glassbox run). What git ignores is left alone.`,
  },
  parameters: {
    flags: {
      before: { kind: 'boolean', optional: true, withNegated: false, brief: 'As it was before that turn' },
      patch: { kind: 'boolean', optional: true, withNegated: false, brief: 'Ask for each part of each file' },
      undo: { kind: 'boolean', optional: true, withNegated: false, brief: 'Take the last rewind of the session back' },
      filesOnly: {
        kind: 'boolean',
        optional: true,
        withNegated: false,
        brief: 'Only files go back, not the conversation',
      },
      json: {
        kind: 'boolean',
        optional: true,
        withNegated: false,
        brief: 'What there is, or would change, as JSON; with --yes what was done',
      },
      ...confirmFlags,
      ...colorFlag,
      ...storeFlag,
    },
    aliases: { ...confirmAliases, p: 'patch' },
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: {
        parse: String,
        placeholder: 'id@turn and [files]',
        brief: 'Which session and turn, and which files (default: all)',
      },
    },
  },
  loader: async () => (await import('./rewind-files.js')).rewindFiles,
});
