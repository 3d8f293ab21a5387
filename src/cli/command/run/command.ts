/** `glassbox run AGENT PROMPT`: start an agent, watch it, answer it. */
import { buildCommand, type FlagParametersForType } from '@stricli/core';
import type { Context } from '../../context.js';
import { type FormatFlag, formatFlag } from '../../flag/format-flag.js';
import { type NotifyFlag, notifyFlag } from '../../flag/notify-flag.js';
import { parseText } from '../../flag/parse-text.js';
import { type RunFlags, runFlags } from '../../flag/run-flag.js';
import { type KeepFlags, keepFlags } from '../../flag/store-flag.js';
import { type ViewFlags, viewAliases, viewFlags } from '../../flag/view-flag.js';

/** What every way to start an agent has. */
export interface StartFlags extends RunFlags, ViewFlags, FormatFlag, KeepFlags, NotifyFlag {
  readonly promptFile?: string;
  readonly streamAgentOutput: boolean;
}

export interface RunCommandFlags extends StartFlags {
  readonly resume?: string;
  readonly continue?: boolean;
  readonly fork?: boolean;
  readonly sessionId?: string;
}

const text = { kind: 'parsed', parse: parseText, optional: true } as const;

export const startFlags: FlagParametersForType<StartFlags> = {
  ...runFlags,
  promptFile: { ...text, placeholder: 'file', brief: 'Read the prompt from a file' },
  streamAgentOutput: { kind: 'boolean', default: true, brief: 'Every step as it happens; --no…: only the answer' },
  ...viewFlags,
  ...formatFlag,
  ...notifyFlag,
  ...keepFlags,
};

export const run = buildCommand<RunCommandFlags, string[], Context>({
  docs: {
    brief: 'Run an agent: watch every step, answer its questions',
    fullDescription: `Starts the agent and shows what it does. On a terminal it asks before the agent may do something that no rule
decides; without one it denies, and says so. One key answers there, what is typed while it works is said to it with
Enter, Esc interrupts, and Ctrl-C asks once, then ends; elsewhere Ctrl-C interrupts once and ends twice.

  glassbox run claude "Fix the failing test"
  glassbox run claude "Review this" --permission plan --budget 2 --timeout 10m
  git diff | glassbox run claude -
  glassbox run claude --continue "And now the docs"

Rules and defaults are in glassbox.json (see glassbox doctor).`,
  },
  parameters: {
    flags: {
      ...startFlags,
      resume: { ...text, placeholder: 'id', brief: 'Continue this session of the agent' },
      continue: { kind: 'boolean', optional: true, brief: 'Continue the latest session here' },
      fork: { kind: 'boolean', optional: true, brief: 'With --resume: leave the old session as it is' },
      sessionId: { ...text, placeholder: 'id', brief: 'Id for the new session' },
    },
    aliases: { ...viewAliases, f: 'promptFile', m: 'model' },
    positional: {
      kind: 'array',
      parameter: {
        parse: String,
        placeholder: 'agent and prompt',
        brief: 'Which agent, and what it shall do; - reads stdin',
      },
    },
  },
  loader: async () => (await import('./run-agent.js')).runAgent,
});
