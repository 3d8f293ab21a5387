/** `glassbox wait [ID]`: until a session ends, or asks. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { parseDuration } from '../../flag/parse-duration.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export interface WaitFlags extends StoreFlag {
  readonly for: 'ended' | 'waiting';
  readonly timeout?: number;
}

export const wait = buildCommand<WaitFlags, [string?], Context>({
  docs: {
    brief: 'Wait until a session has ended, or waits for an answer',
    fullDescription: `Returns when the session is in that state, at once if it is already.

  glassbox wait k7qd && git push            until it has ended, with the status that its run ended with
  glassbox wait k7qd --for waiting          until it asks something; 1 if it ends without asking
  glassbox wait --timeout 10m               the only one that runs; 124 when the time is over`,
  },
  parameters: {
    flags: {
      for: { kind: 'enum', values: ['ended', 'waiting'], default: 'ended', brief: 'What to wait for' },
      timeout: {
        kind: 'parsed',
        parse: parseDuration,
        optional: true,
        placeholder: 'time',
        brief: 'At most so long: 90s, 10m, 2h',
      },
      ...storeFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, optional: true, placeholder: 'id', brief: 'Which session; without it the only one that runs' },
      ],
    },
  },
  loader: async () => (await import('./wait-for-session.js')).waitForSession,
});
