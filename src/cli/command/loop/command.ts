/** `glassbox loop AGENT PROMPT`: again and again, until the answer says that it is done. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type FormatFlag, formatFlag } from '../../flag/format-flag.js';
import { type NotifyFlag, notifyFlag } from '../../flag/notify-flag.js';
import { parseCount } from '../../flag/parse-count.js';
import { parseDuration } from '../../flag/parse-duration.js';
import { parseText } from '../../flag/parse-text.js';
import { type RunFlags, runFlags } from '../../flag/run-flag.js';
import { type KeepFlags, keepFlags } from '../../flag/store-flag.js';
import { type ViewFlags, viewAliases, viewFlags } from '../../flag/view-flag.js';

export interface LoopFlags extends RunFlags, ViewFlags, FormatFlag, KeepFlags, NotifyFlag {
  readonly promptFile?: string;
  readonly until: string;
  readonly match: 'exact' | 'suffix';
  readonly max: number;
  readonly fresh?: boolean;
  readonly rateLimitWait: number;
}

export const loop = buildCommand<LoopFlags, string[], Context>({
  docs: {
    brief: 'Run an agent until its answer says that it is done',
    fullDescription: `Gives the same prompt until the answer is the word after --until (its case does not matter). Budget and time are
those of all iterations together. It waits when the agent is out of its quota, and stops at what will not heal by itself.

  glassbox loop claude "Fix the next failing test. Answer DONE when there is none." --until DONE
  glassbox loop claude -f todo.md --until DONE --match suffix --max 20 --budget 5 --fresh`,
  },
  parameters: {
    flags: {
      ...runFlags,
      promptFile: {
        kind: 'parsed',
        parse: parseText,
        optional: true,
        placeholder: 'file',
        brief: 'Read the prompt from a file',
      },
      until: {
        kind: 'parsed',
        parse: parseText,
        default: 'DONE',
        placeholder: 'word',
        brief: 'The answer that ends the loop',
      },
      match: { kind: 'enum', values: ['exact', 'suffix'], default: 'exact', brief: 'The whole answer, or its end' },
      max: { kind: 'parsed', parse: parseCount, default: '10', placeholder: 'n', brief: 'Most iterations' },
      fresh: { kind: 'boolean', optional: true, brief: 'A new session each time, instead of going on with the last' },
      rateLimitWait: {
        kind: 'parsed',
        parse: parseDuration,
        default: '60s',
        placeholder: 'time',
        brief: 'How long to wait for a quota of which the agent does not say when it returns',
      },
      ...viewFlags,
      ...formatFlag,
      ...notifyFlag,
      ...keepFlags,
    },
    aliases: { ...viewAliases, f: 'promptFile', u: 'until', n: 'max', m: 'model' },
    positional: {
      kind: 'array',
      parameter: {
        parse: String,
        placeholder: 'agent and prompt',
        brief: 'Which agent, and what it shall do; - reads stdin',
      },
    },
  },
  loader: async () => (await import('./loop-agent.js')).loopAgent,
});
