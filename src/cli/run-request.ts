/** From words, flags, files and the environment to a request: flags over configuration. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { agentNamed } from '../decode/index.js';
import { GlassboxError } from '../event/index.js';
import { type Configuration, defaultsFor, type RunRequest, readConfiguration, type Settings } from '../run/index.js';
import { type RunFlags, requestOf } from './flag/run-flag.js';
import { note } from './print/note.js';
import { projectName } from './print/session-cell.js';

export interface Wanted {
  request: RunRequest & { prompt: string; cwd: string };
  defaults: Partial<RunRequest>;
  settings: Settings;
}

type Surroundings = Pick<NodeJS.Process, 'stdin' | 'stderr' | 'env' | 'platform' | 'cwd'>;

/** Reads the prompt from stdin where the words say so, or say nothing. */
export async function requestFrom(
  words: readonly string[],
  flags: RunFlags & { promptFile?: string; quiet?: boolean },
  process: Surroundings,
  settingsFrom?: string,
): Promise<Wanted> {
  const cwd = path.resolve(flags.cwd ?? process.cwd());
  const configuration = await configurationFor(settingsFrom ?? cwd, process);
  const { agent, said, remark } = agentAndWords(words, configuration);
  const prompt = await promptFrom(said, flags.promptFile, process);
  if (prompt.trim() === '') throw new GlassboxError('invalid-request', NOTHING_SAID);
  if (remark !== undefined && !flags.quiet) note(process.stderr, remark);
  tellOfRules(configuration, process);
  const { settings } = configuration;
  return { request: { agent, ...requestOf(flags), prompt, cwd }, defaults: defaultsFor(settings, agent), settings };
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

/** The first word may name the agent; without that the configured one is meant. Where it could be misunderstood it is said. */
function agentAndWords(
  words: readonly string[],
  { settings, sources }: Configuration,
): { agent: string; said: string[]; remark?: string } {
  const [first, ...rest] = words;
  const usual = settings.agent;
  if (first !== undefined && agentNamed(first)) {
    const isAmbiguous = usual !== undefined && usual !== first && rest.length > 1;
    const remark = `with ${first}, because the first word names it; to say all of it to ${usual}, put it in quotes.`;
    return { agent: first, said: rest, ...(isAmbiguous && { remark }) };
  }
  if (usual !== undefined) {
    const from = sources.find((source) => source.settings.agent !== undefined)?.name ?? '';
    const remark = `with ${usual}, as ${projectName(from, homedir(), 60)} says.`;
    return { agent: usual, said: [...words], remark };
  }
  if (first === undefined)
    throw new GlassboxError('invalid-request', 'Say which agent, and what it shall do: glassbox run claude "…"');
  const which = /^[\w-]+$/.test(first) ? `There is no agent named ${first}.` : 'It is not said which agent.';
  throw new GlassboxError(
    'unknown-agent',
    `${which} glassbox run claude "…" names one, glassbox init sets the one that is meant without a name, glassbox doctor tells which are here.`,
  );
}

const NOTHING_SAID =
  'The prompt is empty. Say what the agent shall do: in words, with - from standard input, or with --prompt-file.';

export async function promptFrom(
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
