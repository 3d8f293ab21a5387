/** `glassbox answer CODE WORDS`: answer a question of an agent. */
import { buildCommand } from '@stricli/core';
import type { AnswerFlags } from '../../ask/answer-by-code.js';
import type { Context } from '../../context.js';
import { colorFlag } from '../../flag/color-flag.js';
import { storeFlag } from '../../flag/store-flag.js';

export const answer = buildCommand<AnswerFlags, string[], Context>({
  docs: {
    brief: 'Answer a question of an agent',
    fullDescription: `Answers what an agent wants to know. A choice is named by its number or its words.

  glassbox answer k7qd                      shows what k7qd asks, and the code of the question
  glassbox answer k7qd.3f9a21 2
  glassbox answer k7qd.3f9a21 "Postgres, but not yet"
  glassbox answer k7qd.3f9a21 2 "In May"    one argument for each, where it asks several things

A secret is not taken here, because everybody on this machine can read what is typed after a command: glassbox next asks for it.`,
  },
  parameters: {
    flags: {
      ...colorFlag,
      ...storeFlag,
    },
    positional: {
      kind: 'array',
      parameter: { parse: String, placeholder: 'code and answers', brief: 'Which question, and what to answer' },
    },
  },
  loader: async () => (await import('./answer-question.js')).answerQuestion,
});
