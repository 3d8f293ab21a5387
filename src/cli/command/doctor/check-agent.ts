/** One agent, as it is on this machine: where, which version, what it can do, and what is missing. */
import { execFile } from 'node:child_process';
import { type Agent, howToGet } from '../../../agent/index.js';
import { redactText } from '../../../decode/index.js';
import { capabilityIds } from '../../../envelope/index.js';
import { findProgram, type Settings, thisMachine } from '../../../run/index.js';

export interface Checkup {
  name: string;
  title: string;
  file?: string;
  /** Only when the program is there and answers. */
  version?: string;
  problem?: string;
  /** The next step. */
  hint?: string;
  can: string[];
  cannot: string[];
  /** Capability ids of the universal API. */
  ids: string[];
}

const ANSWER_WITHIN_MS = 20_000;
/** A program that was taken for the agent may print anything. */
const LONGEST_VERSION = 100;

export async function checkAgent(
  agent: Agent,
  settings: Settings,
  { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string },
): Promise<Checkup> {
  const { name, title, program, capabilities } = agent;
  const entries = Object.entries(capabilities);
  const facts = {
    name,
    title,
    can: entries
      .filter(([, can]) => can)
      .map(([capability, can]) => (typeof can === 'string' ? `${capability} (${can})` : capability)),
    cannot: entries.filter(([, can]) => !can).map(([capability]) => capability),
    ids: [...capabilityIds(agent)],
  };
  const found = await findProgram(program, settings.agents?.[name]?.program, thisMachine(env, cwd));
  const hint = howToGet(program);
  if (!found.found) return { ...facts, problem: found.refused ?? 'not installed', hint };
  const said = await versionOf(found.file, [...found.before, ...program.versionArgs], env);
  if (said === undefined) return { ...facts, file: found.file, problem: 'does not answer', hint };
  return { ...facts, file: found.file, version: said };
}

/** The first line that it prints; undefined when it fails or takes too long. */
function versionOf(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(file, args, { env, timeout: ANSWER_WITHIN_MS, windowsHide: true }, (error, stdout) => {
      resolve(error ? undefined : redactText(stdout.trim().split('\n')[0] ?? '').slice(0, LONGEST_VERSION));
    });
  });
}
