/** `glassbox approve CODE`: allow what an agent asks for. */
import { buildCommand } from '@stricli/core';
import type { AnswerFlags } from '../../ask/answer-by-code.js';
import type { Context } from '../../context.js';
import { colorFlag } from '../../flag/color-flag.js';
import { parseText } from '../../flag/parse-text.js';
import { storeFlag } from '../../flag/store-flag.js';

export interface ApproveFlags extends AnswerFlags {
  readonly always?: string;
}

export const approve = buildCommand<ApproveFlags, [string?], Context>({
  docs: {
    brief: 'Allow what an agent asks for',
    fullDescription: `Allows one question of an agent that waits, in whichever terminal or server it was started.

  glassbox approve k7qd                     shows what k7qd asks for, whole, and the code of the question
  glassbox approve k7qd.3f9a21              allows exactly that, this once
  glassbox approve k7qd.3f9a21 --always 1   and what the first line "always" says

The code stands for the question as it was shown: if something else is asked meanwhile, nothing is allowed.
glassbox next asks you on the spot, one question after the other. Nobody inside a run can approve.`,
  },
  parameters: {
    flags: {
      always: {
        kind: 'parsed',
        parse: parseText,
        optional: true,
        placeholder: 'numbers',
        brief: 'Also allow it from now on, as these lines of the question say: 1, or 1,2',
      },
      ...colorFlag,
      ...storeFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: String,
          optional: true,
          placeholder: 'code',
          brief: 'Which question; by the id of its session it is only shown',
        },
      ],
    },
  },
  loader: async () => (await import('./approve-question.js')).approveQuestion,
});
