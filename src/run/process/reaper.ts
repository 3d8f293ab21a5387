/** What a killed glassbox leaves behind is found and ended by the next one: a record per run, kept while it runs. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { readProcess } from './process-table.js';
import { endSurvivors, type Family } from './survivor.js';

export interface OwnedRunRecord {
  runId: string;
  /** The glassbox process that answers for the run. */
  owner: ProcessIdentity;
  /** The agent's process, once it is known. */
  leader?: ProcessIdentity;
  /** Those that nothing but this record tells to be of the run. */
  known?: ProcessIdentity[];
  /** Temporary directory of the run. */
  directory?: string;
}

/** With its start time, because numbers are used again. */
export interface ProcessIdentity {
  pid: number;
  startTime: string;
}

/** Keeps the record of one run; written before the spawn, so that no moment is without one. */
export interface OwnedRun {
  update(facts: Pick<OwnedRunRecord, 'leader' | 'known' | 'directory'>): Promise<void>;
  remove(): Promise<void>;
}

export async function recordRun(dir: string, runId: string): Promise<OwnedRun> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = path.join(dir, `${runId}.json`);
  let record: OwnedRunRecord = { runId, owner: await thisProcess() };
  let writing = Promise.resolve();
  let isRemoved = false;
  const write = async () => {
    if (isRemoved) return;
    await writeFile(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
    await rename(`${file}.new`, file);
  };
  await write();
  return {
    update(facts) {
      record = { ...record, ...facts };
      writing = writing.then(write, write);
      return writing;
    },
    async remove() {
      isRemoved = true;
      await writing.catch(() => {});
      await rm(file, { force: true });
    },
  };
}

export interface Reaped {
  /** Runs whose owner is gone. */
  runs: number;
  /** Processes of theirs that were still there. */
  processes: number;
}

/** Ends the processes and removes the files of runs whose owner is gone. */
export async function reapOrphans(dir: string): Promise<Reaped> {
  const names = await readdir(dir).catch(() => []);
  const all = await Promise.all(names.filter((name) => name.endsWith('.json')).map((name) => reap(dir, name)));
  const reaped = all.filter((ended) => ended !== undefined);
  return { runs: reaped.length, processes: reaped.reduce((sum, ended) => sum + ended, 0) };
}

/** Where the records of runs are. */
export function runsDirectory(): string {
  return path.join(stateDirectory(process.env, homedir(), process.platform), 'runs');
}

/** Where glassbox keeps what others of its processes must know; `GLASSBOX_STATE_DIR` moves it. */
export function stateDirectory(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  platform: NodeJS.Platform,
): string {
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  if (env.GLASSBOX_STATE_DIR) return env.GLASSBOX_STATE_DIR;
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'glassbox');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'glassbox');
  const xdg = env.XDG_STATE_HOME;
  return join(xdg?.startsWith('/') ? xdg : join(home, '.local', 'state'), 'glassbox');
}

/** How many processes it ended; undefined when the run is somebody's. */
async function reap(dir: string, name: string): Promise<number | undefined> {
  const file = path.join(dir, name);
  const record = await readRecord(file);
  if (!record || (await isAlive(record.owner))) return undefined;
  const { runId, leader, known } = record;
  const family: Family = { runId, leader, ...(Array.isArray(known) && { known: known.filter(isIdentity) }) };
  const { found } = await endSurvivors(family, 0);
  if (record.directory) await rm(record.directory, { recursive: true, force: true });
  await rm(file, { force: true });
  return found.length;
}

async function readRecord(file: string): Promise<OwnedRunRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    // Removed by its owner in this moment.
    return undefined;
  }
}

function isRecord(value: unknown): value is OwnedRunRecord {
  if (typeof value !== 'object' || value === null) return false;
  return 'runId' in value && typeof value.runId === 'string' && 'owner' in value && isIdentity(value.owner);
}

function isIdentity(value: unknown): value is ProcessIdentity {
  return typeof value === 'object' && value !== null && 'pid' in value && typeof value.pid === 'number';
}

/** By which this process is known to whoever finds what it left. */
export async function thisProcess(): Promise<ProcessIdentity> {
  return { pid: process.pid, startTime: (await readProcess(process.pid))?.startTime ?? '' };
}

/** Where start times cannot be had (Windows), a live process under that number counts as the owner. */
export async function isAlive({ pid, startTime }: ProcessIdentity): Promise<boolean> {
  if (startTime !== '') return (await readProcess(pid))?.startTime === startTime;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
