/** `glassbox next [ID]`: what waits for you, one question after the other. */
import { buildCommand } from '@stricli/core';
import type { AnswerFlags } from '../../ask/answer-by-code.js';
import type { Context } from '../../context.js';
import { colorFlag } from '../../flag/color-flag.js';
import { storeFlag } from '../../flag/store-flag.js';

export const next = buildCommand<AnswerFlags, [string?], Context>({
  docs: {
    brief: 'Answer what waits for you, the oldest first',
    fullDescription: `Shows the question that waits longest, takes your answer, and goes on with the next one, whichever terminal or server started the agents.

  glassbox next
  glassbox next k7qd                        only what this session asks

l leaves a question for later, Ctrl-C leaves all of them. Answered elsewhere meanwhile, a question goes by itself.
Without a terminal it prints the question and the commands that answer it.`,
  },
  parameters: {
    flags: {
      ...colorFlag,
      ...storeFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, optional: true, placeholder: 'id', brief: 'Which session; without it all of them' },
      ],
    },
  },
  loader: async () => (await import('./answer-next.js')).answerNext,
});
