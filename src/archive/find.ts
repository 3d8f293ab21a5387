/** Finds the conversations that agents left on disk: which files there are and which of them belong together. */
import { createHash } from 'node:crypto';
import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Agent } from '../agent/agent.js';
import type { TranscriptDatabase, Transcripts } from '../agent/transcript.js';
import type { OpenDatabase } from './database.js';
import { readFirstLine } from './head.js';
import { complaintAbout } from './own-file.js';

export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

/** The files of one conversation. */
export interface Conversation {
  agent: Agent;
  /** The agent's own id. */
  sessionId: string;
  /** The main file first. */
  files: ConversationFile[];
  /** Changes whenever one of the files does. */
  state: string;
  bytes: number;
}

export interface ConversationFile {
  path: string;
  part?: string;
  /** How it reads; lines unless told. */
  form?: 'document' | 'database';
}

/** Where this agent's conversations would be; `folder` is somebody's own choice and goes before. */
export function transcriptFolders(agent: Agent, surroundings: Surroundings, folder?: string): string[] {
  if (folder !== undefined) return [folder];
  return placesIn(agent.transcripts?.folders ?? [], surroundings);
}

/** Folders as agents name them: `~` is the home directory, `$NAME` a variable, without which a folder does not count. */
export function placesIn(folders: readonly string[], { env, home }: Surroundings): string[] {
  const places = folders.flatMap((place) => {
    const [, name, rest = ''] = /^\$(\w+)(.*)$/s.exec(place) ?? [];
    if (name === undefined) return [place.replace(/^~/, home)];
    return env[name] ? [join(env[name], rest)] : [];
  });
  if (places.length < 2) return places;
  // A variable may name the place where the agent looks anyway, by whichever way.
  return [...new Map(places.map((place) => [realPath(place), place])).values()];
}

function realPath(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    return resolve(place);
  }
}

export interface Unreadable {
  path: string;
  /** For people. */
  message: string;
}

type TellUnreadable = (unreadable: Unreadable) => void;

/** Conversations below a folder, the oldest change first. One that is not there has none; a folder or database that cannot be read is told. */
export async function findConversations(
  agent: Agent,
  folder: string,
  openDatabase?: OpenDatabase,
  onUnreadable?: TellUnreadable,
): Promise<Conversation[]> {
  const { transcripts } = agent;
  if (!transcripts) return [];
  const found = new Map<string, Found>();
  let looked = 0;
  for (const path of filesBelow(folder, onUnreadable)) {
    looked += 1;
    if (looked % AT_ONCE === 0) await setImmediate();
    const place = relative(folder, path).split(sep).join('/');
    if (place === transcripts.database?.file && openDatabase) {
      const held = await conversationsIn(path, transcripts.database, openDatabase).catch(({ message }: Error) => {
        onUnreadable?.({ path, message });
        return [];
      });
      for (const one of held) found.set(one.sessionId, one);
    } else if (transcripts.files.test(place)) {
      note(transcripts, path, place, found);
    }
  }
  return [...found.values()]
    .filter(({ sessionId, files }) => ID.test(sessionId) && files[0]?.part === undefined)
    .sort((a, b) => a.changedAt - b.changedAt)
    .map(({ sessionId, files, stamps, bytes }) => ({ agent, sessionId, files, state: stateOf(stamps), bytes }));
}

/** An id becomes an argument of programs and a part of names, so it is short, plain, and never looks like an option. */
export const ID = /^[A-Za-z0-9][\w.:-]{0,199}$/;

interface Found {
  sessionId: string;
  files: ConversationFile[];
  stamps: string[];
  bytes: number;
  changedAt: number;
}

/** Files that are looked at before others get their turn. */
const AT_ONCE = 200;

function note(transcripts: Transcripts, path: string, place: string, found: Map<string, Found>): void {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (!facts || complaintAbout(facts) !== undefined) return;
  const which = transcripts.identify(place, () => firstValue(path));
  if (!which) return;
  const { sessionId, part, isDocument } = which;
  const group = found.get(sessionId) ?? { sessionId, files: [], stamps: [], bytes: 0, changedAt: 0 };
  found.set(sessionId, group);
  const file: ConversationFile = { path, ...(part !== undefined && { part }), ...(isDocument && { form: 'document' }) };
  if (part === undefined) group.files.unshift(file);
  else group.files.push(file);
  group.stamps.push(stampOf(place, facts));
  group.bytes += facts.size;
  group.changedAt = Math.max(group.changedAt, facts.mtimeMs);
}

export function stampOf(place: string, { size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): string {
  return `${place} ${size} ${mtimeMs}`;
}

/** Rejects when it cannot be asked. What it says of its conversations is not believed further than it makes sense. */
export async function conversationsIn(
  path: string,
  { conversations }: TranscriptDatabase,
  openDatabase: OpenDatabase,
): Promise<Found[]> {
  const database = await openDatabase(path);
  try {
    return database.rows(conversations).map(({ id, state, bytes, changedAt }) => ({
      sessionId: String(id),
      files: [{ path, form: 'database' }],
      stamps: [String(state)],
      bytes: Number(bytes) || 0,
      changedAt: Number(changedAt) || 0,
    }));
  } finally {
    database.close();
  }
}

export function stateOf(stamps: readonly string[]): string {
  return createHash('sha256').update(stamps.toSorted().join('\n')).digest('hex');
}

/** Folder by folder: one that may not be read hides nothing but what is in it. Links are not followed. */
function* filesBelow(folder: string, onUnreadable: TellUnreadable | undefined): Generator<string> {
  for (const entry of entriesOf(folder, onUnreadable)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path, onUnreadable);
    else if (entry.isFile()) yield path;
  }
}

/** At once: there are thousands of folders, and waiting for each costs more than looking into it. */
function entriesOf(folder: string, onUnreadable: TellUnreadable | undefined): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') onUnreadable?.({ path: folder, message: `The folder cannot be read (${code}).` });
    return [];
  }
}

/** Of a file that cannot be read, or whose first line is longer than what is looked at, nothing is known. */
export function firstValue(path: string): unknown {
  try {
    return JSON.parse(readFirstLine(path));
  } catch {
    return undefined;
  }
}
