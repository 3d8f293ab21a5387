/** Comparisons on disk: one file for each, written whole at every step, so that one that was cut off is still told. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { replaceFile } from '../checkpoint/index.js';
import { GlassboxError } from '../event/index.js';
import { stateDirectory } from '../run/index.js';
import { isAlive, type ProcessIdentity } from '../run/process/reaper.js';
import type { Attempt, Comparison } from './comparison.js';

/** Where they are. */
export function comparisonDirectory(): string {
  return path.join(stateDirectory(process.env, homedir(), process.platform), 'comparisons');
}

export async function writeComparison(dir: string, comparison: Comparison, owner: ProcessIdentity): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await replaceFile(fileOf(dir, comparison.id), JSON.stringify({ ...comparison, owner }));
}

/** The latest first. What nobody goes on with any more is told as cut off. */
export async function readComparisons(dir: string = comparisonDirectory()): Promise<Comparison[]> {
  const names = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith('.json'));
  const read = await Promise.all(names.map((name) => readOne(path.join(dir, name))));
  return read.flatMap((one) => one ?? []).sort((one, other) => other.startedAt - one.startedAt);
}

/** By its id, or the beginning of it that no other has. Throws `not-found` or `conflict`. */
export async function findComparison(ref: string, dir: string = comparisonDirectory()): Promise<Comparison> {
  const all = await readComparisons(dir);
  const meant = all.filter(({ id }) => ref !== '' && id.startsWith(ref));
  const [only, ...others] = meant.filter(({ id }) => id === ref).concat(meant.filter(({ id }) => id !== ref));
  if (!only) throw new GlassboxError('not-found', `There is no comparison ${ref}. glassbox comparisons lists them.`);
  if (only.id !== ref && others.length > 0)
    throw new GlassboxError('conflict', `${ref} means several: ${meant.map(({ id }) => id).join(', ')}.`);
  return only;
}

/** `x4kd2p/3`, or the short id of its session. */
export async function findAttempt(
  ref: string,
  dir: string = comparisonDirectory(),
): Promise<{ comparison: Comparison; attempt: Attempt } | undefined> {
  const [, id, number] = /^(.+)\/(\d{1,4})$/.exec(ref) ?? [];
  if (id === undefined) {
    for (const comparison of await readComparisons(dir)) {
      const attempt = comparison.attempts.find(({ session }) => session === ref);
      if (attempt) return { comparison, attempt };
    }
    return undefined;
  }
  const comparison = await findComparison(id, dir);
  const attempt = comparison.attempts.find((one) => one.number === Number(number));
  if (!attempt)
    throw new GlassboxError(
      'not-found',
      `${comparison.id} has no attempt ${number}: there are ${comparison.attempts.length}.`,
    );
  return { comparison, attempt };
}

export async function forgetComparison(id: string, dir: string = comparisonDirectory()): Promise<void> {
  await rm(fileOf(dir, id), { force: true });
}

const fileOf = (dir: string, id: string): string => path.join(dir, `${id}.json`);

async function readOne(file: string): Promise<Comparison | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!isKept(value)) return undefined;
    const { owner, ...comparison } = value;
    return comparison.endedAt !== undefined || (await isAlive(owner)) ? comparison : asCutOff(comparison);
  } catch {
    return undefined;
  }
}

function asCutOff(comparison: Comparison): Comparison {
  const attempts = comparison.attempts.map((attempt): Attempt => {
    const isOpen = attempt.state === 'waiting' || attempt.state === 'running' || attempt.state === 'checking';
    return isOpen ? { ...attempt, state: attempt.state === 'waiting' ? 'not-begun' : 'cut-off', why: KILLED } : attempt;
  });
  return { ...comparison, attempts };
}

const KILLED = 'glassbox was killed meanwhile';

function isKept(value: unknown): value is Comparison & { owner: ProcessIdentity } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'schema' in value &&
    value.schema === 1 &&
    'attempts' in value &&
    Array.isArray(value.attempts) &&
    'owner' in value &&
    'id' in value
  );
}
