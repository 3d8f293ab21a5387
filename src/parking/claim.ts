/** Who goes on with a parked session: one process at a time, and the next one only when that one is dead. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isAlive, type ProcessIdentity, thisProcess } from '../run/process/reaper.js';
import { nameOf } from './record.js';

/** True when it is this process that may. Claims are counted, and a number is taken once, whoever else tries. */
export async function claim(dir: string, runId: string): Promise<boolean> {
  for (;;) {
    const last = await lastClaim(dir, runId);
    const own = await thisProcess();
    if (last && (await isAlive(last.owner)))
      return last.owner.pid === own.pid && last.owner.startTime === own.startTime;
    if (await take(dir, `${nameOf(runId)}.claim-${(last?.count ?? 0) + 1}`, own)) return true;
  }
}

/** The living process that waits to go on with it. */
export async function claimant(dir: string, runId: string): Promise<ProcessIdentity | undefined> {
  const last = await lastClaim(dir, runId);
  return last && (await isAlive(last.owner)) ? last.owner : undefined;
}

/** Whole or not at all, and only when it is not there. */
async function take(dir: string, name: string, own: ProcessIdentity): Promise<boolean> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const made = path.join(dir, `claim-${randomUUID()}`);
  await writeFile(made, JSON.stringify(own), { mode: 0o600 });
  try {
    await link(made, path.join(dir, name));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(made, { force: true });
  }
}

async function lastClaim(dir: string, runId: string): Promise<{ count: number; owner: ProcessIdentity } | undefined> {
  const start = `${nameOf(runId)}.claim-`;
  const names = (await readdir(dir).catch(() => [])).filter((name) => name.startsWith(start));
  const count = Math.max(0, ...names.map((name) => Number(name.slice(start.length)) || 0));
  if (count === 0) return undefined;
  const text = await readFile(path.join(dir, `${start}${count}`), 'utf8').catch(() => undefined);
  // Given up in this moment.
  if (text === undefined) return undefined;
  return { count, owner: JSON.parse(text) as ProcessIdentity };
}
