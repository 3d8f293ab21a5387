/** `glassbox compare TASK`: the same task for several agents. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type ColorFlag, colorFlag } from '../../flag/color-flag.js';
import { parseCount } from '../../flag/parse-count.js';
import { parseDuration } from '../../flag/parse-duration.js';
import { parseList } from '../../flag/parse-list.js';
import { parseText } from '../../flag/parse-text.js';
import { type RunFlags, runFlags } from '../../flag/run-flag.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

/** Programs and their arguments belong to one agent: glassbox.json has them for each. */
export interface CompareFlags extends Omit<RunFlags, 'model' | 'program' | 'arg'>, StoreFlag, ColorFlag {
  readonly agents: string[];
  readonly times: number;
  readonly check?: string;
  readonly checkTimeout: number;
  readonly atOnce: number;
  readonly uncommitted?: boolean;
  readonly save?: string;
  readonly against?: string;
  readonly promptFile?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

const { model: _, program: __, arg: ___, ...flags } = runFlags;
const text = { kind: 'parsed', parse: parseText, optional: true } as const;
const yes = { kind: 'boolean', optional: true, withNegated: false } as const;

export const compare = buildCommand<CompareFlags, string[], Context>({
  docs: {
    brief: 'Give several agents the same task, and compare',
    fullDescription: `Each attempt gets a work tree and a branch of its own, from what is checked out; your files stay as they are. Nobody is
asked meanwhile, so --permission has to say what they may do: with ask, only what rules allow.

  glassbox compare "Fix the failing test" --agents claude,codex --check "npm test" --permission accept-edits
  glassbox compare "Fix it" --agents claude,codex:some-model --times 3 --budget 5 --permission bypass --check "make test"
  glassbox compare "Fix it" … --save baseline.json        keeps how many passed
  glassbox compare "Fix it" … --against baseline.json     status 1 when fewer pass than chance explains

The table tells why each ended, whether the check passed, cost, time, turns, questions and the size of the difference;
glassbox comparisons shows it again, and glassbox apply brings one attempt's changes into your files. The check runs
what the agents wrote, with your rights. Ctrl-C ends all attempts and keeps what is there.`,
  },
  parameters: {
    flags: {
      agents: {
        kind: 'parsed',
        parse: parseList,
        placeholder: 'list',
        brief: 'Which agents, with commas; a model behind a colon',
      },
      times: { kind: 'parsed', parse: parseCount, default: '1', placeholder: 'n', brief: 'How often each tries' },
      check: { ...text, placeholder: 'command', brief: 'Tells by its status whether an attempt did it' },
      checkTimeout: {
        kind: 'parsed',
        parse: parseDuration,
        default: '10m',
        placeholder: 'time',
        brief: 'End the check after so long; then it has failed',
      },
      atOnce: { kind: 'parsed', parse: parseCount, default: '2', placeholder: 'n', brief: 'How many work at once' },
      uncommitted: { ...yes, brief: 'Begin with what you changed and did not commit, too' },
      save: { ...text, placeholder: 'file', brief: 'Write how many passed, to compare with later' },
      against: { ...text, placeholder: 'file', brief: 'Compare with what was saved; status 1 when it became worse' },
      promptFile: { ...text, placeholder: 'file', brief: 'Read the task from a file' },
      ...flags,
      timeout: { ...flags.timeout, brief: 'End an attempt after 90s, 10m, 1h' },
      permission: { ...flags.permission, brief: 'What they may do unasked; has to be said' },
      budget: { ...flags.budget, brief: 'Most that all attempts together may cost' },
      budgetTokens: { ...flags.budgetTokens, brief: 'End an attempt when it has used so many tokens' },
      quiet: { ...yes, brief: 'Only the table' },
      json: { ...yes, brief: 'The table as one JSON object' },
      ...colorFlag,
      ...storeFlag,
    },
    aliases: { f: 'promptFile', q: 'quiet' },
    positional: {
      kind: 'array',
      parameter: { parse: String, placeholder: 'task', brief: 'What they shall do; - reads stdin' },
    },
  },
  loader: async () => (await import('./compare-agents.js')).compareAgents,
});
