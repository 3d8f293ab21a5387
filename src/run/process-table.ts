/** Every process that can be seen, as rows: from /proc on Linux, from `ps` elsewhere on POSIX, nothing on Windows. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { RUN_ID_VARIABLE } from './environment.js';

export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  /** With `pid` the identity of a process: numbers are used again, start times are not. */
  startTime: string;
  /** Run ids in its environment, outermost first; only Linux shows them. */
  runIds: readonly string[];
}

export async function readProcessTable(): Promise<ProcessRow[]> {
  if (process.platform === 'linux') return readProc();
  if (process.platform === 'win32') return [];
  return parsePs(await ps(['-axo', PS_COLUMNS]));
}

/** One process; undefined when it is gone or, on Windows, cannot be asked. */
export async function readProcess(pid: number): Promise<ProcessRow | undefined> {
  if (process.platform === 'linux') return readProcEntry(pid);
  if (process.platform === 'win32') return undefined;
  return parsePs(await ps(['-o', PS_COLUMNS, '-p', String(pid)]))[0];
}

/** Rows of `ps -o pid=,ppid=,pgid=,stat=,lstart=`; zombies are gone already and left out. */
export function parsePs(output: string): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const line of output.split('\n')) {
    const [, pid, parent, group, state, startTime] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (!startTime || state?.startsWith('Z')) continue;
    rows.push({ pid: Number(pid), parent: Number(parent), group: Number(group), startTime, runIds: [] });
  }
  return rows;
}

/** The fields of /proc/PID/stat; the name in brackets may itself hold spaces and brackets. */
export function parseStat(pid: number, stat: string): ProcessRow | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  const startTime = fields[19];
  if (!startTime || state === 'Z' || state === 'X') return undefined;
  return { pid, parent: Number(parent), group: Number(group), startTime, runIds: [] };
}

const PS_COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart=';

/** How many processes are read before others may go on. */
const AT_ONCE = 32;

/** Read in this thread: the kernel answers from memory, and a pool of threads needs ten times the work for it. */
async function readProc(): Promise<ProcessRow[]> {
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
  const rows: Promise<ProcessRow | undefined>[] = [];
  for (const [index, pid] of pids.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await turn();
    rows.push(readProcEntry(pid));
  }
  return (await Promise.all(rows)).filter((row) => row !== undefined);
}

async function readProcEntry(pid: number): Promise<ProcessRow | undefined> {
  const stat = readNow(`/proc/${pid}/stat`);
  const row = stat === undefined ? undefined : parseStat(pid, stat);
  return row && { ...row, runIds: runIdsIn(await readEnviron(row)) };
}

function readNow(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return undefined;
  }
}

/** Empty for a moment while a process starts another program, and for ever where it was started with nothing. */
async function readEnviron({ pid, parent }: ProcessRow): Promise<string> {
  const ofKernel = parent === 0 || parent === KERNEL_THREADS;
  for (const delayMs of ofKernel ? [0] : [1, 5, 10, 0]) {
    // Another user's environment cannot be read; its row still tells the family.
    const environ = readNow(`/proc/${pid}/environ`) ?? 'unreadable';
    if (environ !== '' || delayMs === 0) return environ;
    await sleep(delayMs);
  }
  return '';
}

/** The parent of all threads of the kernel, which have no environment. */
const KERNEL_THREADS = 2;

function runIdsIn(environ: string): string[] {
  const prefix = `${RUN_ID_VARIABLE}=`;
  const entry = environ.split('\0').find((line) => line.startsWith(prefix));
  return entry ? entry.slice(prefix.length).split('/') : [];
}

async function ps(args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('ps', args, { env: { ...process.env, LC_ALL: 'C' } });
    return stdout;
  } catch {
    return '';
  }
}
