/** `glassbox say ID WORDS`: speak to an agent that works. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export const say = buildCommand<StoreFlag, [string, ...string[]], Context>({
  docs: {
    brief: 'Say something to an agent that works',
    fullDescription: `Gives a message to the agent of a session that is running, in whichever terminal or server it was started.

  glassbox say k7qd "Leave the tests as they are"

An agent that takes messages only between turns hears it after the current one. Once the session has ended, glassbox resume goes on with it.`,
  },
  parameters: {
    flags: storeFlag,
    positional: {
      kind: 'array',
      minimum: 2,
      parameter: { parse: String, placeholder: 'id and words', brief: 'Which session, and what to say' },
    },
  },
  loader: async () => (await import('./say-to-session.js')).sayToSession,
});
