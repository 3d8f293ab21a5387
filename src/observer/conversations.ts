/** Finds the conversations on disk that could be live: the one with an id, or those that changed since a moment, without reading the others. */
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Agent } from '../agent/agent.js';
import {
  type Conversation,
  type ConversationFile,
  conversationsIn,
  firstValue,
  type OpenDatabase,
  type Surroundings,
  transcriptFolders,
} from '../archive/index.js';

export interface LiveConversation {
  conversation: Conversation;
  /** When one of its files was last written, ms since the epoch. */
  changedAt: number;
}

export interface Conversations {
  withId(sessionId: string): Promise<LiveConversation | undefined>;
  changedSince(at: number): Promise<LiveConversation[]>;
}

/** A folder that did not change has the same files in it; what is in a file is asked of the file. */
interface Listing {
  changedAt: number;
  entries: Dirent[];
}

export function createConversations(
  agent: Agent,
  surroundings: Surroundings,
  openDatabase: OpenDatabase | undefined,
): Conversations {
  const { transcripts } = agent;
  const folders = transcripts ? transcriptFolders(agent, surroundings) : [];
  const listings = new Map<string, Listing>();
  const owners = new Map<string, { ino: number; sessionId: string; file: ConversationFile } | undefined>();
  const asked = new Map<string, { stamp: string; found: LiveConversation[] }>();

  return {
    async withId(sessionId) {
      const kept = (await inDatabases()).find(({ conversation }) => conversation.sessionId === sessionId);
      if (kept) return kept;
      // Every agent names its files by the id, or by how it begins.
      const isLike = (place: string) => place.includes(sessionId) || place.includes(`-${sessionId.slice(0, 8)}.`);
      return newestOf(await filesLike(isLike), sessionId);
    },
    async changedSince(at) {
      const kept = await inDatabases();
      const all = groupsOf(await filesLike(() => true, at));
      return [...kept, ...all].filter(({ changedAt }) => changedAt >= at);
    },
  };

  async function filesLike(isLike: (place: string) => boolean, since = 0): Promise<FoundFile[]> {
    const found: FoundFile[] = [];
    for (const folder of folders) {
      for (const path of await filesBelow(folder)) {
        const place = placeOf(folder, path);
        if (!transcripts?.files.test(place) || !isLike(place)) continue;
        const file = await identify(folder, path, since);
        if (file) found.push(file);
      }
    }
    return found;
  }

  async function identify(folder: string, path: string, since: number): Promise<FoundFile | undefined> {
    const facts = await lstat(path).catch(() => undefined);
    if (!facts?.isFile() || facts.mtimeMs < since) return undefined;
    const known = owners.get(path);
    if (known?.ino === facts.ino) return { ...known, changedAt: facts.mtimeMs, bytes: facts.size };
    const which = transcripts?.identify(placeOf(folder, path), () => firstValue(path));
    if (!which) return undefined;
    const { sessionId, part, isDocument } = which;
    const file: ConversationFile = {
      path,
      ...(part !== undefined && { part }),
      ...(isDocument && { form: 'document' }),
    };
    owners.set(path, { ino: facts.ino, sessionId, file });
    return { sessionId, file, changedAt: facts.mtimeMs, bytes: facts.size };
  }

  async function filesBelow(folder: string): Promise<string[]> {
    const facts = await lstat(folder).catch(() => undefined);
    if (!facts?.isDirectory()) return [];
    const known = listings.get(folder);
    const entries =
      known?.changedAt === facts.mtimeMs
        ? known.entries
        : await readdir(folder, { withFileTypes: true }).catch(() => []);
    listings.set(folder, { changedAt: facts.mtimeMs, entries });
    const files: string[] = [];
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) files.push(...(await filesBelow(path)));
      else if (entry.isFile()) files.push(path);
    }
    return files;
  }

  async function inDatabases(): Promise<LiveConversation[]> {
    const { database } = transcripts ?? {};
    if (!database || !openDatabase) return [];
    const all: LiveConversation[] = [];
    for (const folder of folders) {
      const path = join(folder, database.file);
      const stamps = await Promise.all([path, `${path}-wal`].map((file) => lstat(file).catch(() => undefined)));
      if (!stamps[0]?.isFile()) continue;
      const stamp = stamps.map((facts) => `${facts?.size} ${facts?.mtimeMs}`).join(' ');
      const before = asked.get(path);
      if (before?.stamp !== stamp) {
        const rows = await conversationsIn(path, database, openDatabase).catch(() => []);
        const found = rows.map(({ sessionId, files, bytes, changedAt, stamps: [state = ''] }) => ({
          conversation: { agent, sessionId, files, state, bytes },
          changedAt,
        }));
        asked.set(path, { stamp, found });
      }
      all.push(...(asked.get(path)?.found ?? []));
    }
    return all;
  }

  function newestOf(files: readonly FoundFile[], sessionId: string): LiveConversation | undefined {
    return groupsOf(files).find(({ conversation }) => conversation.sessionId === sessionId);
  }

  function groupsOf(files: readonly FoundFile[]): LiveConversation[] {
    const groups = new Map<string, FoundFile[]>();
    for (const file of files) groups.set(file.sessionId, [...(groups.get(file.sessionId) ?? []), file]);
    return [...groups].flatMap(([sessionId, some]) => {
      const main = some.filter(({ file }) => file.part === undefined);
      if (main.length === 0) return [];
      const changedAt = Math.max(...some.map((one) => one.changedAt));
      const bytes = some.reduce((sum, one) => sum + one.bytes, 0);
      const others = some.filter(({ file }) => file.part !== undefined);
      const conversation = { agent, sessionId, files: [...main, ...others].map(({ file }) => file), state: '', bytes };
      return [{ conversation, changedAt }];
    });
  }
}

interface FoundFile {
  sessionId: string;
  file: ConversationFile;
  changedAt: number;
  bytes: number;
}

function placeOf(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}
