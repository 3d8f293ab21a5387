/**
 * Which checkpoints a run has: one small file for each run, in glassbox's own data on the machine where it ran. The commits are kept from
 * being cleaned away by refs under `refs/glassbox/`, which go with the file.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { RunCheckpoints } from './checkpoint.js';
import { replaceFile } from './work-tree.js';

/** Where the commits of a run are anchored. */
export function refsOf(runId: string): string {
  return `refs/glassbox/${nameOf(runId)}`;
}

export async function writeRecord(dir: string, record: RunCheckpoints): Promise<void> {
  await mkdir(path.join(dir, 'runs'), { recursive: true, mode: 0o700 });
  await replaceFile(fileOf(dir, record.runId), JSON.stringify(record));
}

export async function readRecord(dir: string, runId: string): Promise<RunCheckpoints | undefined> {
  return readRecordFile(fileOf(dir, runId));
}

async function readRecordFile(file: string): Promise<RunCheckpoints | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is RunCheckpoints {
  if (typeof value !== 'object' || value === null) return false;
  return 'top' in value && typeof value.top === 'string' && 'checkpoints' in value && Array.isArray(value.checkpoints);
}

/** Of every run that is known here. */
export async function readRecords(dir: string): Promise<RunCheckpoints[]> {
  const names = await readdir(path.join(dir, 'runs')).catch(() => []);
  const records = await Promise.all(names.map((name) => readRecordFile(path.join(dir, 'runs', name))));
  return records.filter((record) => record !== undefined);
}

export async function removeRecord(dir: string, runId: string): Promise<void> {
  await rm(fileOf(dir, runId), { force: true });
}

const fileOf = (dir: string, runId: string): string => path.join(dir, 'runs', `${nameOf(runId)}.json`);

/** A run's id may be anything; the name of a ref and of a file may not. */
function nameOf(runId: string): string {
  return /^[a-z0-9][a-z0-9-]{0,63}$/.test(runId)
    ? runId
    : createHash('sha256').update(runId).digest('hex').slice(0, 32);
}
