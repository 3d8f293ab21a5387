/** `glassbox say ID WORDS`: speak to an agent that works. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { parseText } from '../../flag/parse-text.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export interface SayFlags extends StoreFlag {
  readonly attach?: string[];
}

export const say = buildCommand<SayFlags, [string, ...string[]], Context>({
  docs: {
    brief: 'Say something to an agent that works',
    fullDescription: `Gives a message to the agent of a session that is running, in whichever terminal or server it was started.

  glassbox say k7qd "Leave the tests as they are"
  glassbox say k7qd "It should look like this" --attach mock.png

An agent that takes messages only between turns hears it after the current one. Once the session has ended, glassbox resume goes on with it.`,
  },
  parameters: {
    flags: {
      attach: {
        kind: 'parsed',
        parse: parseText,
        optional: true,
        variadic: true,
        placeholder: 'file',
        brief: 'A picture or PDF beside the words; may be repeated',
      },
      ...storeFlag,
    },
    positional: {
      kind: 'array',
      minimum: 2,
      parameter: { parse: String, placeholder: 'id and words', brief: 'Which session, and what to say' },
    },
  },
  loader: async () => (await import('./say-to-session.js')).sayToSession,
});
