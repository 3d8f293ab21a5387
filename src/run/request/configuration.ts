/** What is configured, from whom: the environment over the project's `glassbox.json` over the user's own file. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '../process/environment.js';
import type { RunRequest } from './request.js';
import { type AgentSettings, checkSettings, type Settings, VARIABLES, variableOf } from './setting.js';

export interface Configuration {
  /** Everything merged. */
  settings: Settings;
  /** Where settings came from, the strongest first. */
  sources: { name: string; settings: Settings }[];
  /** What is wrong with them, for people; what is wrong is left out of `settings`. */
  problems: string[];
}

export interface Surroundings {
  cwd: string;
  env: Readonly<Environment>;
  home: string;
  platform: NodeJS.Platform;
}

/** Reads and merges what is configured; throws a `GlassboxError` that names the file and the key that is wrong. */
export async function readConfiguration(surroundings: Surroundings): Promise<Configuration> {
  const problems: string[] = [];
  const project = await projectFile(surroundings.cwd);
  const layers = [
    { name: 'environment', settings: fromEnvironment(surroundings.env, problems) },
    ...(project ? await fromFile(project, problems, withoutPowers) : []),
    ...(await fromFile(userFile(surroundings), problems)),
  ];
  const sources = layers.filter(({ settings }) => Object.keys(settings).length > 0);
  return { settings: sources.map(({ settings }) => settings).reduceRight(merge, {}), sources, problems };
}

/** What the settings mean for a run of this agent; a request goes before them. */
export function defaultsFor(settings: Settings, agent: string): Partial<RunRequest> {
  const { agent: _, checkpoints: __, worktree: ___, goOn: ____, agents, ...common } = settings;
  for (const name of OWN_FILE_ONLY) delete common[name];
  return { ...common, ...agents?.[agent] };
}

/** The user's own file. */
export function userFile({ env, home, platform }: Surroundings): string {
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  if (env.GLASSBOX_CONFIG) return env.GLASSBOX_CONFIG;
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'glassbox', FILE_NAME);
  const xdg = env.XDG_CONFIG_HOME;
  return join(xdg?.startsWith('/') ? xdg : join(home, '.config'), 'glassbox', FILE_NAME);
}

const FILE_NAME = 'glassbox.json';

/** The nearest one up to the top of the repository; outside of one only here, because whose `/tmp` is it? */
async function projectFile(cwd: string): Promise<string | undefined> {
  const candidates: string[] = [];
  for (let dir = cwd; ; dir = path.dirname(dir)) {
    candidates.push(path.join(dir, FILE_NAME));
    if (await exists(path.join(dir, '.git'))) break;
    if (dir === path.dirname(dir)) {
      candidates.splice(1);
      break;
    }
  }
  for (const file of candidates) if (await exists(file)) return file;
  return undefined;
}

type Restrict = (settings: Settings, file: string, problems: string[]) => Settings;

async function fromFile(file: string, problems: string[], restrict: Restrict = (settings) => settings) {
  const found = await readJson(file, problems);
  if (found === undefined) return [];
  const wrong: string[] = [];
  const settings = restrict(checkSettings(found, '', wrong) ?? {}, file, wrong);
  problems.push(...wrong.map((problem) => `${file}: ${problem}`));
  return [{ name: file, settings }];
}

/** About this machine and not about a run. */
const OWN_FILE_ONLY = ['serve', 'watch', 'notify', 'notices'] as const;

/** A project comes from somebody else: it may not choose what is started, nor lift every check, nor say what others may do. */
function withoutPowers(settings: Settings, _file: string, problems: string[]): Settings {
  const { agents, permission, ...rest } = settings;
  const kept: Settings = { ...rest };
  if (permission === 'bypass') problems.push('permission must not be bypass here; set it in your own file');
  else if (permission) kept.permission = permission;
  for (const name of OWN_FILE_ONLY) {
    if (kept[name] !== undefined) problems.push(`${name} must not be set here; set it in your own file`);
    delete kept[name];
  }
  const harmless: Record<string, AgentSettings> = {};
  for (const [name, { model, ...others }] of Object.entries(agents ?? {})) {
    for (const key of Object.keys(others))
      problems.push(`agents.${name}.${key} must not be set here; set it in your own file`);
    if (model) harmless[name] = { model };
  }
  if (Object.keys(harmless).length > 0) kept.agents = harmless;
  return kept;
}

function fromEnvironment(env: Readonly<Environment>, problems: string[]): Settings {
  const found: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, read] of VARIABLES) {
    const value = env[variableOf(name)];
    if (value) found[name] = read(value);
  }
  const settings = checkSettings(found, '', wrong) ?? {};
  problems.push(...wrong.map((problem) => problem.replace(/^\w+/, variableOf)));
  return settings;
}

/** `stronger` wins value by value; rules of both hold, because deny goes before allow wherever it is written. */
function merge(weaker: Settings, stronger: Settings): Settings {
  const merged: Settings = { ...weaker, ...stronger };
  if (weaker.rules && stronger.rules) merged.rules = [...stronger.rules, ...weaker.rules];
  if (weaker.watchdog && stronger.watchdog) merged.watchdog = { ...weaker.watchdog, ...stronger.watchdog };
  for (const [name, settings] of Object.entries(weaker.agents ?? {})) {
    merged.agents = { ...merged.agents, [name]: { ...settings, ...stronger.agents?.[name] } };
  }
  return merged;
}

async function readJson(file: string, problems: string[]): Promise<unknown> {
  let json: string;
  try {
    json = await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch {
    problems.push(`${file}: is not JSON`);
    return undefined;
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch {
    return false;
  }
}
