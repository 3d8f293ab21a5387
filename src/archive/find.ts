/** Finds the conversations that agents left on disk: which files there are and which of them belong together. */
import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Agent } from '../agent/agent.js';
import { readHead } from './head.js';

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
}

/** Where this agent's conversations would be; `folder` is somebody's own choice and goes before. */
export function transcriptFolders(agent: Agent, { env, home }: Surroundings, folder?: string): string[] {
  if (folder !== undefined) return [folder];
  return (agent.transcripts?.folders ?? []).flatMap((place) => {
    const [, name, rest = ''] = /^\$(\w+)(.*)$/.exec(place) ?? [];
    if (name === undefined) return [place.replace(/^~/, home)];
    return env[name] ? [join(env[name], rest)] : [];
  });
}

/** Conversations below a folder, the oldest change first. A folder that is not there has none. */
export async function findConversations(agent: Agent, folder: string): Promise<Conversation[]> {
  const found = new Map<string, { files: ConversationFile[]; stamps: string[]; bytes: number; changedAt: number }>();
  for (const path of await filesBelow(folder)) {
    const place = relative(folder, path).split(sep).join('/');
    const which = agent.transcripts?.identify(place, await firstValue(path));
    const facts = which && (await stat(path).catch(() => undefined));
    if (!which || !facts) continue;
    const group = found.get(which.sessionId) ?? { files: [], stamps: [], bytes: 0, changedAt: 0 };
    found.set(which.sessionId, group);
    if (which.part === undefined) group.files.unshift({ path });
    else group.files.push({ path, part: which.part });
    group.stamps.push(`${place} ${facts.size} ${facts.mtimeMs}`);
    group.bytes += facts.size;
    group.changedAt = Math.max(group.changedAt, facts.mtimeMs);
  }
  return [...found]
    .filter(([, { files }]) => files[0]?.part === undefined)
    .sort(([, a], [, b]) => a.changedAt - b.changedAt)
    .map(([sessionId, { files, stamps, bytes }]) => ({ agent, sessionId, files, state: stateOf(stamps), bytes }));
}

function stateOf(stamps: readonly string[]): string {
  return createHash('sha256').update(stamps.toSorted().join('\n')).digest('hex');
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries: Dirent[] = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Of a file whose first line is longer than what is looked at, nothing is known. */
async function firstValue(path: string): Promise<unknown> {
  const head = await readHead(path).catch(() => '');
  try {
    return JSON.parse(head.split('\n', 1)[0] ?? '');
  } catch {
    return undefined;
  }
}
