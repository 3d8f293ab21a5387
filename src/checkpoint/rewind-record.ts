/**
 * Every rewind is written down before the first file is touched, with the commit of all files as they were and of all files as they are to
 * be. So one that was cut off is finished by the next glassbox, and any can be taken back.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { isAlive, type ProcessIdentity } from '../run/process/reaper.js';
import type { ConversationPlace } from './conversation-place.js';
import { replaceFile } from './work-tree.js';

export interface RewindEntry {
  id: string;
  /** The session, by its short id. */
  session: string;
  top: string;
  at: number;
  /** In words: `as turn 3 left it`. */
  to: string;
  /** Commits: all files before it, and after it. */
  before: string;
  after: string;
  state: 'begun' | 'done';
  /** Who does it. */
  owner: ProcessIdentity;
  /** Not taken back but brought over (`glassbox apply`): `to` says what. */
  applies?: true;
  /** It took back this one. */
  undoes?: string;
  /** Where the conversation goes on, if nobody went on with it since. */
  conversation?: ConversationPlace;
}

export const refsOfRewind = (id: string): string => `refs/glassbox/rewind-${id}`;

export async function writeEntry(dir: string, entry: RewindEntry): Promise<void> {
  await mkdir(path.join(dir, 'rewinds'), { recursive: true, mode: 0o700 });
  await replaceFile(fileOf(dir, entry.id), JSON.stringify(entry));
}

/** The oldest first. */
export async function readEntries(dir: string): Promise<RewindEntry[]> {
  const names = await readdir(path.join(dir, 'rewinds')).catch(() => []);
  const entries = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map(async (name) => {
        try {
          const value: unknown = JSON.parse(await readFile(path.join(dir, 'rewinds', name), 'utf8'));
          return isEntry(value) ? [value] : [];
        } catch {
          return [];
        }
      }),
  );
  return entries.flat().sort((one, other) => one.at - other.at);
}

/** Those that nobody works at any more, and that are not done. */
export async function cutOff(dir: string): Promise<RewindEntry[]> {
  const open = (await readEntries(dir)).filter(({ state }) => state === 'begun');
  const alive = await Promise.all(open.map(({ owner }) => isAlive(owner)));
  return open.filter((_, index) => !alive[index]);
}

export async function removeEntry(dir: string, id: string): Promise<void> {
  await rm(fileOf(dir, id), { force: true });
}

const fileOf = (dir: string, id: string): string => path.join(dir, 'rewinds', `${id}.json`);

function isEntry(value: unknown): value is RewindEntry {
  return (
    typeof value === 'object' &&
    value !== null &&
    'before' in value &&
    'after' in value &&
    'owner' in value &&
    'id' in value
  );
}
