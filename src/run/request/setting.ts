/** The one schema of `glassbox.json`, of the user's file and of the environment. */
import { PERMISSIONS, type Permission } from '../../agent/command.js';
import { TOOL_KINDS } from '../../event/index.js';
import type { Rule } from '../approval/rule.js';
import type { WatchdogOptions } from '../limit/watchdog.js';
import { amount, type Check, duration, either, flag, list, map, oneOf, shape, text } from './check.js';
import type { RunRequest } from './request.js';

type Limits = Pick<
  RunRequest,
  | 'deltas'
  | 'lowLatency'
  | 'timeoutMs'
  | 'approvalTimeoutMs'
  | 'budgetUsd'
  | 'budgetTokens'
  | 'maxTurns'
  | 'survivorGraceMs'
>;

export interface Settings extends Limits {
  /** The agent that is meant when none is named. */
  agent?: string;
  model?: string;
  permission?: Permission;
  rules?: Rule[];
  watchdog?: WatchdogOptions;
  /** Whether the files are kept before and after each turn, to go back to. */
  checkpoints?: boolean;
  /** By name of the agent; they win over what is set for all. */
  agents?: Record<string, AgentSettings>;
  worktree?: WorktreeSettings;
  goOn?: GoOnSettings;
  serve?: ServeSettings;
  watch?: WatchSettings;
  /** A program and its arguments that is told when an agent waits or has ended. Only the user's own file may set it. */
  notify?: string[];
  /** False where the terminal is not to say it: no title, no notification, no bell. Only the user's own file may set it. */
  notices?: boolean;
}

/** For `glassbox run --worktree`. */
export interface WorktreeSettings {
  /** Files and folders, from the top of the project, that are copied into each though git ignores them. */
  copy?: string[];
}

/** For sessions that a limit of the account stopped. */
export interface GoOnSettings {
  /** How many limits a run with `--go-on` waits for. */
  times?: number;
  /** How much later than the limit ends it goes on at most. */
  jitterMs?: number;
}

/** For `glassbox serve`. Only the user's own file may set them. */
export interface ServeSettings {
  /** Agents that ask for nothing may be started over HTTP. */
  bypass?: boolean;
}

/** For what follows the sessions that agents leave on this machine. Only the user's own file may set them. */
export interface WatchSettings {
  /** Path globs, of projects and of the agents' own files. */
  ignore?: string[];
  /** By name of the agent; false where its sessions are not to be followed. */
  agents?: Record<string, boolean>;
}

export interface AgentSettings {
  program?: string;
  model?: string;
  permission?: Permission;
  args?: string[];
  env?: Record<string, string>;
}

const policy = oneOf(['note', 'ask', 'interrupt', 'end']);
const off = oneOf([false]);
const after = either(
  shape<{ afterMs: number; policy: 'note' | 'ask' | 'interrupt' | 'end' }>({ afterMs: duration, policy }, [
    'afterMs',
    'policy',
  ]),
  off,
);

const watchdog = shape<WatchdogOptions>({
  silence: after,
  approval: after,
  linger: after,
  tasks: after,
  repetition: either(shape({ times: amount, policy }, ['times', 'policy']), off),
  spend: either(shape({ tokens: amount, policy }, ['tokens', 'policy']), off),
});

/**
 * Stars and question marks. Alternatives would be letters here, and so would the separators of Windows on every other system, where the
 * file of a project is read too: a rule that forbids by them would forbid nothing.
 */
const glob: Check<string> = (value, where, problems) => {
  const found = text(value, where, problems);
  const wrong = NOT_IN_GLOBS.find(([pattern]) => found !== undefined && pattern.test(found))?.[1];
  if (wrong === undefined) return found;
  problems.push(`${where} has ${wrong}`);
  return undefined;
};

const NOT_IN_GLOBS: readonly (readonly [RegExp, string])[] = [
  [/\{[^{},]*,[^{}]*\}/, 'alternatives in braces, which are not known: write a rule for each'],
  [/\\/, 'a backslash: write / between names, on every system'],
];

const rule = shape<Rule>(
  {
    decision: oneOf(['allow', 'deny', 'ask']),
    kind: oneOf(TOOL_KINDS),
    tool: text,
    path: glob,
    command: text,
    host: text,
  },
  ['decision'],
);

/** A rule about nothing would be a rule about everything. */
const conditionalRule: Check<Rule> = (value, where, problems) => {
  const found = rule(value, where, problems);
  if (!found || Object.keys(found).length > 1) return found;
  problems.push(`${where} must say what it is about: kind, tool, path, command or host`);
  return undefined;
};

/** Also for rules that were kept with a run. */
export const checkRules = list(conditionalRule);

const permission = oneOf(PERMISSIONS);

export const checkSettings = shape<Settings>({
  agent: text,
  model: text,
  permission,
  deltas: flag,
  lowLatency: flag,
  timeoutMs: duration,
  approvalTimeoutMs: duration,
  survivorGraceMs: duration,
  budgetUsd: amount,
  budgetTokens: amount,
  maxTurns: amount,
  rules: checkRules,
  watchdog,
  checkpoints: flag,
  agents: map(shape<AgentSettings>({ program: text, model: text, permission, args: list(text), env: map(text) })),
  worktree: shape<WorktreeSettings>({ copy: list(text) }),
  goOn: shape<GoOnSettings>({ times: amount, jitterMs: duration }),
  serve: shape<ServeSettings>({ bypass: flag }),
  watch: shape<WatchSettings>({ ignore: list(glob), agents: map(flag) }),
  notify: list(text),
  notices: flag,
});

const readFlag = (value: string): unknown => (value === 'true' || value === 'false' ? value === 'true' : value);

/** Settings that have a variable: `timeoutMs` is `GLASSBOX_TIMEOUT_MS`. */
export const VARIABLES: readonly [name: keyof Settings, read: (text: string) => unknown][] = [
  ['agent', String],
  ['model', String],
  ['permission', String],
  ['deltas', readFlag],
  ['lowLatency', readFlag],
  ['checkpoints', readFlag],
  ['timeoutMs', Number],
  ['approvalTimeoutMs', Number],
  ['survivorGraceMs', Number],
  ['budgetUsd', Number],
  ['budgetTokens', Number],
  ['maxTurns', Number],
];

export function variableOf(name: string): string {
  return `GLASSBOX_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
