/**
 * Files that somebody sent to be attached, in glassbox's own data on this machine, for its user alone: they wait under an id, belong to the run that
 * was given them, and go with its session. Nobody names a path: an id is found, or it is not.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { GlassboxError } from '../../event/index.js';
import { stateDirectory } from '../process/reaper.js';
import { givenFile, readToGive } from './given-file.js';

export interface WaitingAttachment {
  id: string;
  name: string;
  mimeType: string;
  bytes: number;
}

const MOST_WAITING = 50;
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/** Throws when it is none that an agent could take, or too many wait. */
export function keepAttachment(sent: { name: string; data: Uint8Array }): WaitingAttachment {
  const { name, mimeType, bytes } = givenFile(sent.name, sent.data);
  if (forgetOld() >= MOST_WAITING)
    throw new GlassboxError('conflict', 'Too many attachments wait to be sent. Send them, or attach less.');
  const id = randomBytes(16).toString('hex');
  mkdirSync(waiting(id), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(waiting(id), name), sent.data, { mode: 0o600, flag: 'wx' });
  return { id, name, mimeType, bytes };
}

/** A file of this machine, as it is now. */
export function keepFile(file: string): WaitingAttachment {
  return keepAttachment({ name: file, data: readToGive(path.resolve(file)) });
}

/** Their paths, in this order. Throws for one that is not here. */
export function keptFiles(ids: readonly string[]): string[] {
  return ids.map((id) => {
    const name = ID.test(id) ? listed(waiting(id))[0] : undefined;
    if (name === undefined)
      throw new GlassboxError(
        'not-found',
        'What was attached is no longer kept on the machine of the run. Attach it again.',
      );
    return path.join(waiting(id), name);
  });
}

/** They are the run's from now on. */
export function bindAttachments(ids: readonly string[], runId: string): void {
  if (ids.length === 0) return;
  mkdirSync(ofRun(runId), { recursive: true, mode: 0o700 });
  for (const id of ids) if (ID.test(id)) renameSync(waiting(id), path.join(ofRun(runId), id));
}

/** They go with their sessions. */
export function forgetAttachments(sessions: readonly { runs: readonly { runId: string }[] }[]): void {
  for (const { runId } of sessions.flatMap(({ runs }) => runs)) rmSync(ofRun(runId), { recursive: true, force: true });
}

const ID = /^[0-9a-f]{32}$/;

/** What nobody sent within a day is not going to be sent. Gives back how many wait. */
function forgetOld(): number {
  const folder = path.dirname(waiting('any'));
  const old = listed(folder).filter((id) => Date.now() - changedAt(path.join(folder, id)) > LONGEST_WAIT_MS);
  for (const id of old) rmSync(path.join(folder, id), { recursive: true, force: true });
  return listed(folder).length;
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const directory = (): string => path.join(stateDirectory(process.env, homedir(), process.platform), 'attachments');
const waiting = (id: string): string => path.join(directory(), 'waiting', id);
const ofRun = (runId: string): string =>
  path.join(directory(), 'runs', createHash('sha256').update(runId).digest('hex').slice(0, 32));
