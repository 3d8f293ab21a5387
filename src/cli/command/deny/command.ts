/** `glassbox deny CODE [REASON]`: refuse what an agent asks for. */
import { buildCommand } from '@stricli/core';
import type { AnswerFlags } from '../../ask/answer-by-code.js';
import type { Context } from '../../context.js';
import { colorFlag } from '../../flag/color-flag.js';
import { storeFlag } from '../../flag/store-flag.js';

export const deny = buildCommand<AnswerFlags, string[], Context>({
  docs: {
    brief: 'Refuse what an agent asks for, and say why',
    fullDescription: `Refuses one question of an agent that waits. The agent reads the reason and goes on.

  glassbox deny k7qd                        shows what k7qd asks for, and the code of the question
  glassbox deny k7qd.3f9a21 "Keep the cache"`,
  },
  parameters: {
    flags: {
      ...colorFlag,
      ...storeFlag,
    },
    positional: {
      kind: 'array',
      parameter: { parse: String, placeholder: 'code and reason', brief: 'Which question, and why not' },
    },
  },
  loader: async () => (await import('./deny-question.js')).denyQuestion,
});
