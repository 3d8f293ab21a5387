/** The one schema of `glassbox.json`, of the user's file and of the environment (decision 17). */
import { PERMISSIONS, type Permission } from '../agent/command.js';
import { TOOL_KINDS } from '../event/index.js';
import { amount, type Check, duration, either, flag, list, map, oneOf, shape, text } from './check.js';
import type { RunRequest } from './request.js';
import type { Rule } from './rule.js';
import type { WatchdogOptions } from './watchdog.js';

type Limits = Pick<
  RunRequest,
  'deltas' | 'timeoutMs' | 'approvalTimeoutMs' | 'budgetUsd' | 'budgetTokens' | 'maxTurns' | 'survivorGraceMs'
>;

export interface Settings extends Limits {
  /** The agent that is meant when none is named. */
  agent?: string;
  model?: string;
  permission?: Permission;
  rules?: Rule[];
  watchdog?: WatchdogOptions;
  /** By name of the agent; they win over what is set for all. */
  agents?: Record<string, AgentSettings>;
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

const rule = shape<Rule>(
  { decision: oneOf(['allow', 'deny', 'ask']), kind: oneOf(TOOL_KINDS), tool: text, path: text, command: text },
  ['decision'],
);

/** A rule about nothing would be a rule about everything. */
const conditionalRule: Check<Rule> = (value, where, problems) => {
  const found = rule(value, where, problems);
  if (!found || Object.keys(found).length > 1) return found;
  problems.push(`${where} must say what it is about: kind, tool, path or command`);
  return undefined;
};

const permission = oneOf(PERMISSIONS);

export const checkSettings = shape<Settings>({
  agent: text,
  model: text,
  permission,
  deltas: flag,
  timeoutMs: duration,
  approvalTimeoutMs: duration,
  survivorGraceMs: duration,
  budgetUsd: amount,
  budgetTokens: amount,
  maxTurns: amount,
  rules: list(conditionalRule),
  watchdog,
  agents: map(shape<AgentSettings>({ program: text, model: text, permission, args: list(text), env: map(text) })),
});

/** Settings that have a variable: `timeoutMs` is `GLASSBOX_TIMEOUT_MS`. */
export const VARIABLES: readonly [name: keyof Settings, read: (text: string) => unknown][] = [
  ['agent', String],
  ['model', String],
  ['permission', String],
  ['deltas', (value) => (value === 'true' || value === 'false' ? value === 'true' : value)],
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
