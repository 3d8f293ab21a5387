/** The environment of a child: the parent's, without what disturbs a nested agent, with what the request asks for. The parent's own is never touched. */
import { delimiter } from 'node:path';

export interface EnvironmentOptions {
  /** Names, or prefixes ending in `*`, that the agent's program must not inherit. */
  drop: readonly string[];
  runId: string;
  /** From the agent's command. */
  command?: Readonly<Record<string, string>> | undefined;
  /** From the request; it wins over everything, also over `drop`. `undefined` removes a variable. */
  request?: Readonly<Record<string, string | undefined>> | undefined;
  /** Directory the program was found in, when PATH does not have it: a launcher finds its interpreter beside it. */
  programDir?: string | undefined;
}

/** Marks every process of a run, so that it is found wherever it hides. */
export const RUN_ID_VARIABLE = 'GLASSBOX_RUN_ID';

export type Environment = Record<string, string | undefined>;

export function childEnvironment(parent: Readonly<Environment>, options: EnvironmentOptions): Environment {
  const { drop, runId, command, request, programDir } = options;
  const env = inheritable(parent, drop);
  if (programDir) Object.assign(env, pathWith(env, programDir));
  Object.assign(env, command, request);
  // A run inside a run carries both marks, so that ending the outer one finds the inner one's processes too.
  const outer = parent[RUN_ID_VARIABLE];
  env[RUN_ID_VARIABLE] = outer ? `${outer}/${runId}` : runId;
  return env;
}

/** What an agent may inherit, in a run and in a terminal of its own. It stays marked where this process is part of a run. */
export function inheritable(parent: Readonly<Environment>, drop: readonly string[]): Environment {
  const patterns = [...ALWAYS_DROPPED, ...withheld, ...drop];
  const kept = Object.entries(parent).filter(
    ([name]) => name === RUN_ID_VARIABLE || !patterns.some((pattern) => matches(name, pattern)),
  );
  return Object.fromEntries(kept);
}

const withheld = new Set<string>();

/** From now on no agent that this process starts inherits this variable: it lets glassbox in somewhere. */
export function withhold(name: string): void {
  withheld.add(name);
}

/**
 * Debuggers, loaders and channels of this Node process, which break the start of a child that is Node too; and where this
 * process works, which some agents believe more than where they were started.
 */
const ALWAYS_DROPPED = [
  // Where glassbox keeps things, and by what it is let in: an agent has no business there.
  'GLASSBOX_*',
  'PWD',
  'OLDPWD',
  'NODE_OPTIONS',
  'NODE_CHANNEL_FD',
  'NODE_CHANNEL_SERIALIZATION_MODE',
  'NODE_UNIQUE_ID',
  'DEBUG',
];

function matches(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function pathWith(env: Environment, dir: string): Environment {
  // Windows spells it `Path`; adding a second spelling would hide the first.
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const dirs = env[name]?.split(delimiter) ?? [];
  return dirs.includes(dir) ? {} : { [name]: [dir, ...dirs].join(delimiter) };
}
