/** From words, flags, files and the environment to a request: flags over configuration. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { agentNamed } from '../decode/index.js';
import { GlassboxError } from '../event/index.js';
import { type Configuration, defaultsFor, type RunRequest, readConfiguration } from '../run/index.js';
import { type RunFlags, requestOf } from './flag/run-flag.js';
import { note } from './print/note.js';

export interface Wanted {
  request: RunRequest & { prompt: string; cwd: string };
  defaults: Partial<RunRequest>;
}

type Surroundings = Pick<NodeJS.Process, 'stdin' | 'stderr' | 'env' | 'platform' | 'cwd'>;

/** Reads the prompt from stdin where the words say so, or say nothing. */
export async function requestFrom(
  words: readonly string[],
  flags: RunFlags & { promptFile?: string },
  process: Surroundings,
): Promise<Wanted> {
  const cwd = path.resolve(flags.cwd ?? process.cwd());
  const configuration = await configurationFor(cwd, process);
  const { agent, said } = agentAndWords(words, configuration);
  const prompt = await promptFrom(said, flags.promptFile, process);
  if (prompt.trim() === '') throw new GlassboxError('invalid-request', NOTHING_SAID);
  tellOfRules(configuration, process);
  return { request: { agent, ...requestOf(flags), prompt, cwd }, defaults: defaultsFor(configuration.settings, agent) };
}

/** Throws a `GlassboxError` when it makes no sense: an agent must not start without a rule that somebody wrote down. */
export async function configurationFor(
  cwd: string,
  { env, platform }: Pick<Surroundings, 'env' | 'platform'>,
): Promise<Configuration> {
  const configuration = await readConfiguration({ cwd, env, platform, home: homedir() });
  const { problems } = configuration;
  if (problems.length > 0)
    throw new GlassboxError('invalid-request', `The configuration makes no sense: ${problems.join('; ')}`);
  return configuration;
}

/** The first word may name the agent; without that the configured one is meant. */
function agentAndWords(
  [first, ...rest]: readonly string[],
  { settings }: Configuration,
): { agent: string; said: string[] } {
  const words = first === undefined ? [] : [first, ...rest];
  if (first !== undefined && agentNamed(first)) return { agent: first, said: rest };
  if (settings.agent) return { agent: settings.agent, said: words };
  if (first === undefined)
    throw new GlassboxError('invalid-request', 'Say which agent, and what it shall do: glassbox run claude "…"');
  throw new GlassboxError('unknown-agent', `There is no agent named ${first}. See glassbox doctor.`);
}

const NOTHING_SAID =
  'The prompt is empty. Say what the agent shall do: in words, with - from standard input, or with --prompt-file.';

async function promptFrom(
  words: readonly string[],
  file: string | undefined,
  { stdin }: Surroundings,
): Promise<string> {
  if (file !== undefined && words.length > 0) {
    throw new GlassboxError('invalid-request', 'Give the prompt as words or as a file, not both.');
  }
  if (file !== undefined) {
    return readFile(file, 'utf8').catch((cause: unknown) => {
      throw new GlassboxError('read-failed', `The prompt could not be read from ${file}.`, { cause });
    });
  }
  const fromInput = words.length === 0 ? !stdin.isTTY : words.length === 1 && words[0] === '-';
  return fromInput ? readText(stdin) : words.join(' ');
}

/** Somebody else may have written them: whoever starts the agent must know what is allowed without being asked. */
export function tellOfRules({ sources }: Configuration, { stderr }: Pick<Surroundings, 'stderr'>): void {
  for (const { name, settings } of sources) {
    const allowed = settings.rules?.filter(({ decision }) => decision === 'allow').length ?? 0;
    if (allowed === 0) continue;
    const said = allowed === 1 ? `1 rule of ${name} allows` : `${allowed} rules of ${name} allow`;
    note(stderr, `${said} things without asking.`);
  }
}
