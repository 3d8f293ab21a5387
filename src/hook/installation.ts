/**
 * Our hooks in an agent's settings: put in, found, taken out again. What was put in is noted, not what was there: as long as nobody else
 * changed the file, taking that out gives back the very bytes, and else only what is ours goes.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Agent } from '../agent/agent.js';
import type { FoundHook, HookMode, Hooks } from '../agent/hooks.js';
import { type Insertion, insertInto, readJsonText } from '../agent/json-text.js';
import { GlassboxError } from '../event/index.js';
import { hookFolder, type Surroundings, settingsPath, socketPath } from './place.js';
import { hookCommand, isOurs, type Sender } from './sender.js';
import { readSettings, type SettingsFile, writeSettings } from './settings-file.js';

/** One change of a settings file, to be looked at before it is made. */
export interface Change {
  file: SettingsFile;
  /** Absent when the file shall be gone. */
  after: string | undefined;
  /** True when nothing is to be done. */
  isNothing: boolean;
  make(): Promise<void>;
}

/** What we put in, so that it can be taken out. */
interface Note {
  /** Digest of the whole text, before and after; no `before` when there was no file. */
  before?: string;
  after: string;
  /** Where they stand in the text after. */
  insertions: Insertion[];
}

export interface Installed {
  file: SettingsFile;
  ours: FoundHook[];
  /** How many hooks of others are there. */
  others: number;
}

export async function findInstalled(agent: Agent, surroundings: Surroundings): Promise<Installed> {
  const hooks = hooksOf(agent);
  const file = await readSettings(settingsPath(hooks, surroundings));
  const found = hooks.find(file.text ?? '');
  const ours = found.filter(({ command }) => isOurs(command));
  return { file, ours, others: found.length - ours.length };
}

/** `check`: also refuse calls by the user's own rules before they happen. */
export async function planInstall(
  agent: Agent,
  surroundings: Surroundings,
  { sender, check }: { sender: Sender; check: boolean },
): Promise<Change> {
  const hooks = hooksOf(agent);
  const socket = socketPath(surroundings);
  const file = await readSettings(settingsPath(hooks, surroundings));
  const bare = await withoutOurs(agent, hooks, file, surroundings);
  const modes: HookMode[] = check ? ['ask', 'check'] : ['ask'];
  const insertions = hooks.install(bare ?? '', (mode) => hookCommand(sender, socket, mode), modes);
  const after = insertInto(bare ?? '', insertions);
  requireSame(hooks, bare ?? '', hooks.remove(after, isOurs));
  const note: Note = {
    ...(bare !== undefined && { before: digest(bare) }),
    after: digest(after),
    insertions: shifted(insertions),
  };
  return changeOf(file, after, async () => {
    const place = noteOf(agent, surroundings);
    await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
    await writeFile(place, JSON.stringify(note), { mode: 0o600 });
  });
}

export async function planRemove(agent: Agent, surroundings: Surroundings): Promise<Change> {
  const hooks = hooksOf(agent);
  const file = await readSettings(settingsPath(hooks, surroundings));
  const after = await withoutOurs(agent, hooks, file, surroundings);
  return changeOf(file, after, () => rm(noteOf(agent, surroundings), { force: true }));
}

/** The program skips this text, all of it, so that no hook in it is called. */
export function isSkipped({ isPlain }: Hooks, text: string): boolean {
  if (!isPlain) return false;
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return false;
  } catch {
    return true;
  }
}

/** Throws for an agent without any. */
export function hooksOf({ title, hooks }: Agent): Hooks {
  if (hooks) return hooks;
  throw new GlassboxError(
    'unsupported-capability',
    `${title} has no hooks that glassbox could use without locking you out.`,
  );
}

/** The note is made first: without it the very bytes could not be given back, and one too many does no harm. */
function changeOf(file: SettingsFile, after: string | undefined, keepNote: () => Promise<void>): Change {
  const isNothing = file.text === after;
  return {
    file,
    after,
    isNothing,
    async make() {
      if (isNothing) return;
      if (after !== undefined) await keepNote();
      await writeSettings(file, after);
      if (after === undefined) await keepNote();
    },
  };
}

/** The text as it was before us; undefined when there was no file. */
async function withoutOurs(
  agent: Agent,
  hooks: Hooks,
  { text }: SettingsFile,
  surroundings: Surroundings,
): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const note = await readNote(noteOf(agent, surroundings));
  if (note && digest(text) === note.after) {
    const before = taken(text, note.insertions);
    if (note.before === undefined) return before === '' ? undefined : before;
    if (digest(before) === note.before) return before;
  }
  const left = hooks.remove(text, isOurs);
  requireSame(hooks, text, left);
  return left;
}

/** What others have there is the same as before, whatever we did to the text. */
function requireSame(hooks: Hooks, before: string, after: string): void {
  const [was, is] = [before, after].map((text) => {
    const others = hooks.find(text).filter(({ command }) => !isOurs(command));
    const { hooks: _, ...rest } = (readJsonText(text)?.value ?? {}) as Record<string, unknown>;
    return JSON.stringify([others, rest]);
  });
  if (was !== is) throw new GlassboxError('conflict', 'The settings would not stay the same, so nothing was changed.');
}

function taken(text: string, insertions: readonly Insertion[]): string {
  let result = '';
  let from = 0;
  for (const { at, text: put } of insertions) {
    result += text.slice(from, at);
    from = at + put.length;
  }
  return result + text.slice(from);
}

/** Places in the text after, instead of in the one before. */
function shifted(insertions: readonly Insertion[]): Insertion[] {
  let by = 0;
  return insertions.map(({ at, text }) => {
    const place = { at: at + by, text };
    by += text.length;
    return place;
  });
}

function noteOf(agent: Agent, surroundings: Surroundings): string {
  return path.join(hookFolder(surroundings), `${agent.name}.json`);
}

async function readNote(place: string): Promise<Note | undefined> {
  try {
    return JSON.parse(await readFile(place, 'utf8')) as Note;
  } catch {
    return undefined;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
