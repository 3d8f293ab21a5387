/** `glassbox run AGENT PROMPT`: start an agent, watch it, answer it. */
import { buildCommand, type FlagParametersForType } from '@stricli/core';
import type { Context } from '../../context.js';
import { type FormatFlag, formatFlag } from '../../flag/format-flag.js';
import { hubFlags } from '../../flag/hub-flag.js';
import { type NotifyFlag, notifyFlag } from '../../flag/notify-flag.js';
import { parseCount } from '../../flag/parse-count.js';
import { parseList } from '../../flag/parse-list.js';
import { parseText } from '../../flag/parse-text.js';
import { type RunFlags, runFlags } from '../../flag/run-flag.js';
import { type KeepFlags, keepFlags } from '../../flag/store-flag.js';
import { type ViewFlags, viewAliases, viewFlags } from '../../flag/view-flag.js';
import type { HubFlags } from '../../hub.js';

/** What every way to start an agent has. */
export interface StartFlags extends RunFlags, ViewFlags, FormatFlag, KeepFlags, NotifyFlag {
  readonly promptFile?: string;
  readonly streamAgentOutput: boolean;
  readonly goOn?: boolean;
  readonly goOnTimes?: number;
}

export interface RunCommandFlags extends StartFlags, HubFlags {
  readonly project?: string;
  readonly label?: string[];
  readonly host?: string;
  readonly again?: boolean;
  readonly resume?: string;
  readonly continue?: boolean;
  readonly fork?: boolean;
  readonly sessionId?: string;
  readonly worktree?: boolean;
  readonly at?: string;
}

const text = { kind: 'parsed', parse: parseText, optional: true } as const;

export const startFlags: FlagParametersForType<StartFlags> = {
  ...runFlags,
  promptFile: { ...text, placeholder: 'file', brief: 'Read the prompt from a file' },
  streamAgentOutput: { kind: 'boolean', default: true, brief: 'Every step as it happens; --no…: only the answer' },
  goOn: {
    kind: 'boolean',
    optional: true,
    withNegated: false,
    brief: 'When a limit of the account stops it: wait, and go on when that is over',
  },
  goOnTimes: {
    kind: 'parsed',
    parse: parseCount,
    optional: true,
    placeholder: 'n',
    brief: 'With --go-on: wait for so many limits (default: 5)',
  },
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
Enter, Esc interrupts and lets you say what next, and Ctrl-C asks once, then ends; elsewhere Ctrl-C interrupts once and
ends twice. Ctrl-T opens the session in the agent's own program; when that ends, glassbox shows what happened there and goes on. ? lists all keys.

  glassbox run claude "Fix the failing test"
  glassbox run claude "Review this" --permission plan --budget 2 --timeout 10m
  git diff | glassbox run claude -
  glassbox run claude --continue "And now the docs"
  glassbox run claude "Try it another way" --worktree --at k7qd@2
  glassbox run claude "Translate the docs" --go-on --budget 20
  glassbox run claude "Fix the build" --hub https://hub.example --project shop --label gpu

Rules and defaults are in glassbox.json (see glassbox doctor).`,
  },
  parameters: {
    flags: {
      ...startFlags,
      resume: { ...text, placeholder: 'id', brief: 'Continue this session of the agent' },
      continue: { kind: 'boolean', optional: true, brief: 'Continue the latest session here' },
      fork: { kind: 'boolean', optional: true, brief: 'With --resume: leave the old session as it is' },
      worktree: {
        kind: 'boolean',
        optional: true,
        withNegated: false,
        brief: 'In a work tree and branch of its own; removed if nothing changed',
      },
      at: { ...text, placeholder: 'id@turn', brief: 'With --worktree: the files as that turn of a session left them' },
      sessionId: { ...text, placeholder: 'id', brief: 'Id for the new session' },
      ...hubFlags,
      project: {
        ...text,
        placeholder: 'name',
        brief: 'With --hub: the project, by the name that the workers have for it',
      },
      label: {
        kind: 'parsed',
        parse: parseList,
        optional: true,
        placeholder: 'list',
        brief: 'With --hub: only a worker that has all of these',
      },
      host: { ...text, placeholder: 'name', brief: 'With --hub: only the worker of this name' },
      again: {
        kind: 'boolean',
        optional: true,
        withNegated: false,
        brief: 'With --hub: run it once more if its worker dies, though tools may have run',
      },
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
