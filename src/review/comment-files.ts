/**
 * Comments are kept in glassbox's own data on this machine, for its user alone, beside the files that they are about: one small file each, so that a
 * page and a terminal may write at the same time. What is kept passed the guard.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { GlassboxError } from '../event/index.js';
import { redactText, stateDirectory } from '../run/index.js';
import type { ReviewComment } from './comment.js';

/** Of a session, by its runs; the oldest first. */
export async function readComments(
  runs: readonly { runId: string }[],
  dir: string = reviewDirectory(),
): Promise<ReviewComment[]> {
  const found: ReviewComment[] = [];
  for (const { runId } of runs) {
    const folder = folderOf(dir, runId);
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.endsWith('.json')) continue;
      const comment = await readComment(path.join(folder, name));
      if (comment?.runId === runId) found.push(comment);
    }
  }
  return found.sort(
    (one, other) =>
      one.at - other.at ||
      one.path.localeCompare(other.path) ||
      one.start - other.start ||
      one.id.localeCompare(other.id),
  );
}

/** A new one, or one that was changed. Nobody ever reads a half of it. */
export async function writeComment(
  comment: Omit<ReviewComment, 'id'> & { id?: string },
  dir: string = reviewDirectory(),
): Promise<ReviewComment> {
  const { id = randomUUID(), text, quote, ...rest } = comment;
  const kept: ReviewComment = { id, ...rest, text: redactText(text), quote: quote.map((line) => redactText(line)) };
  const file = fileOf(dir, kept);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const made = `${file}-${randomUUID()}`;
  await writeFile(made, JSON.stringify(kept), { mode: 0o600 });
  await rename(made, file);
  return kept;
}

/** Of a session, by its id. Throws a `GlassboxError` when there is none, or it was sent: what the agent was told stays as it is. */
export async function pendingComment(
  runs: readonly { runId: string }[],
  id: string,
  dir: string = reviewDirectory(),
): Promise<ReviewComment> {
  for (const { runId } of runs) {
    const comment = await readComment(fileOf(dir, { runId, id }));
    if (comment?.id !== id) continue;
    if (comment.sentAt === undefined) return comment;
    throw new GlassboxError('conflict', 'This comment was sent already. Write another one.');
  }
  throw new GlassboxError('not-found', 'There is no such comment.');
}

export async function removeComment(comment: ReviewComment, dir: string = reviewDirectory()): Promise<void> {
  await rm(fileOf(dir, comment), { force: true });
}

/** They go with their sessions. */
export async function forgetComments(
  sessions: readonly { id: string; runs: readonly { runId: string }[] }[],
  dir: string = reviewDirectory(),
): Promise<void> {
  for (const { runId } of sessions.flatMap(({ runs }) => runs))
    await rm(folderOf(dir, runId), { recursive: true, force: true });
  for (const { id } of sessions) await rm(deliveryFolder(dir, id), { recursive: true, force: true });
}

/** Where it stands which comments of a session are being sent. */
export const deliveryFolder = (dir: string, session: string): string => folderOf(dir, `deliveries of ${session}`);

export function reviewDirectory(): string {
  return path.join(stateDirectory(process.env, homedir(), process.platform), 'reviews');
}

/** A run's id may be anything; the name of a folder may not. */
const folderOf = (dir: string, runId: string): string =>
  path.join(dir, createHash('sha256').update(runId).digest('hex').slice(0, 32));

const fileOf = (dir: string, { runId, id }: Pick<ReviewComment, 'runId' | 'id'>): string =>
  path.join(folderOf(dir, runId), `${createHash('sha256').update(id).digest('hex').slice(0, 32)}.json`);

/** What is damaged is left out. */
async function readComment(file: string): Promise<ReviewComment | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isComment(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isComment(value: unknown): value is ReviewComment {
  if (typeof value !== 'object' || value === null) return false;
  const of = new Map<string, unknown>(Object.entries(value));
  const isText = (name: string) => typeof of.get(name) === 'string';
  const isNumber = (name: string) => Number.isFinite(of.get(name));
  const side = of.get('side');
  return (
    ['id', 'runId', 'path', 'commit', 'text'].every(isText) &&
    ['turn', 'start', 'end', 'at'].every(isNumber) &&
    (side === 'new' || side === 'old') &&
    Array.isArray(of.get('quote'))
  );
}
