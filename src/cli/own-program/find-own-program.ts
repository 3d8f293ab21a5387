/** The agent's own interactive program with a session, ready to be started: which file, with which arguments, where, and with what of our variables. */
import { howToGet } from '../../agent/index.js';
import { GlassboxError } from '../../event/index.js';
import { findProgram, handOver, requireAgent, type Settings, thisMachine } from '../../run/index.js';
import { inheritable } from '../../run/process/environment.js';

export interface OwnProgram {
  /** For people. */
  title: string;
  /** What people would type. */
  line: string;
  file: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

export interface OwnSession {
  agent: string;
  agentSessionId?: string | undefined;
  cwd: string;
}

/** `chosen`: a program that somebody named. Throws a `GlassboxError` that says why when there is none. */
export async function findOwnProgram(
  { agent, agentSessionId, cwd }: OwnSession,
  { settings, env, chosen }: { settings: Settings; env: NodeJS.ProcessEnv; chosen?: string | undefined },
): Promise<OwnProgram> {
  const { args, line } = handOver(agent, agentSessionId);
  const { program, title } = requireAgent(agent);
  const found = await findProgram(program, chosen ?? settings.agents?.[agent]?.program, thisMachine(env, cwd));
  if (!found.found) throw new GlassboxError('not-installed', `${title} was not found. ${howToGet(program)}`);
  return {
    title,
    line,
    file: found.file,
    args: [...found.before, ...args],
    cwd,
    env: inheritable(env, program.dropEnv),
  };
}
