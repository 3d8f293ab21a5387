/** Every process that can be seen, as rows: from /proc on Linux, from `ps` elsewhere on POSIX, nothing on Windows. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { RUN_ID_VARIABLE } from './environment.js';
import { parseMark } from './process-mark.js';

export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  /** With `pid` the identity of a process: numbers are used again, start times are not. */
  startTime: string;
  /** Short, without arguments. */
  name: string;
  /** Run ids in its environment, outermost first; only Linux shows them. */
  runIds: readonly string[];
  /** See `process-mark.ts`. */
  mark?: string;
}

export async function readProcessTable(): Promise<ProcessRow[]> {
  if (process.platform === 'linux') return readProc();
  if (process.platform === 'win32') return [];
  return parsePs(await ps(['-axo', PS_COLUMNS]));
}

/** Rows of those that are not in `seen`, without what is read from their environment; and the start times of all there are. */
export async function readNewProcesses(
  seen: ReadonlyMap<number, string>,
): Promise<{ rows: ProcessRow[]; present: Map<number, string> }> {
  const rows: ProcessRow[] = [];
  const present = new Map<number, string>();
  // To see by one look alone that a number was used again would mean to read everybody anew each time.
  const found = process.platform === 'linux' ? procRows(seen, present) : await readProcessTable();
  for (const row of found) {
    if (seen.get(row.pid) !== row.startTime) rows.push(row);
    present.set(row.pid, row.startTime);
  }
  return { rows, present };
}

/** One process; undefined when it is gone or, on Windows, cannot be asked. */
export async function readProcess(pid: number): Promise<ProcessRow | undefined> {
  if (process.platform === 'linux') return readProcEntry(pid);
  if (process.platform === 'win32') return undefined;
  return parsePs(await ps(['-o', PS_COLUMNS, '-p', String(pid)]))[0];
}

/** Whether the kernel already counts it as gone, which Node may not have heard yet; false where only asking another program would tell. */
export function hasLeft(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  return statOf(pid) === undefined;
}

/** Rows of `ps -o pid=,ppid=,pgid=,stat=,lstart=,comm=`; zombies are gone already and left out. */
export function parsePs(output: string): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const line of output.split('\n')) {
    const [, pid, parent, group, state, startTime, command = ''] = PS_ROW.exec(line) ?? [];
    if (!startTime || state?.startsWith('Z')) continue;
    const name = command.slice(command.lastIndexOf('/') + 1).trim();
    rows.push({ pid: Number(pid), parent: Number(parent), group: Number(group), startTime, name, runIds: [] });
  }
  return rows;
}

/** The fields of /proc/PID/stat; the name in brackets may itself hold spaces and brackets. */
export function parseStat(pid: number, stat: string): ProcessRow | undefined {
  const end = stat.lastIndexOf(')');
  const name = stat.slice(stat.indexOf('(') + 1, end);
  const fields = stat.slice(end + 2).split(' ');
  const [state, parent, group] = fields;
  const startTime = fields[19];
  if (!startTime || state === 'Z' || state === 'X') return undefined;
  return { pid, parent: Number(parent), group: Number(group), startTime, name, runIds: [] };
}

const PS_COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart=,comm=';
const PS_ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)(.*)$/s;

/** How many processes are read before others may go on. */
const AT_ONCE = 32;

/** Read in this thread: the kernel answers from memory, and a pool of threads needs ten times the work for it. */
async function readProc(): Promise<ProcessRow[]> {
  const pids = procNumbers();
  const rows: Promise<ProcessRow | undefined>[] = [];
  for (const [index, pid] of pids.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await turn();
    rows.push(readProcEntry(pid));
  }
  return (await Promise.all(rows)).filter((row) => row !== undefined);
}

function* procRows(seen: ReadonlyMap<number, string>, present: Map<number, string>): Generator<ProcessRow> {
  for (const pid of procNumbers()) {
    const startTime = seen.get(pid);
    const row = startTime === undefined ? statOf(pid) : undefined;
    if (row) yield row;
    else if (startTime !== undefined) present.set(pid, startTime);
  }
}

function procNumbers(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

function statOf(pid: number): ProcessRow | undefined {
  const stat = readNow(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : parseStat(pid, stat);
}

async function readProcEntry(pid: number): Promise<ProcessRow | undefined> {
  const stat = readNow(`/proc/${pid}/stat`);
  const row = stat === undefined ? undefined : parseStat(pid, stat);
  if (stat === undefined || row === undefined || isOfKernel(stat)) return row;
  const runIds = runIdsIn(await readEnviron(row));
  const mark = runIds.length > 0 ? undefined : inheritedMark(row);
  return { ...row, runIds, ...(mark !== undefined && { mark }) };
}

/** Only who hides is found by it. It is inherited and never changes, so that each is read once. */
function inheritedMark({ pid, startTime }: ProcessRow): string | undefined {
  const known = marks.get(pid);
  if (known?.startTime === startTime) return known.mark;
  const mark = parseMark(readNow(`/proc/${pid}/limits`) ?? '');
  if (marks.size >= MOST_MARKS) marks.clear();
  marks.set(pid, { startTime, mark });
  return mark;
}

const marks = new Map<number, { startTime: string; mark: string | undefined }>();
const MOST_MARKS = 4096;

/** Into one buffer for all: such files have no size, and for each of those Node would fetch fresh memory. */
function readNow(file: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    let text = '';
    for (let length = -1; length !== 0; text += page.toString('latin1', 0, length)) length = readSync(descriptor, page);
    return text;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const page = Buffer.alloc(65_536);

/** Empty for a moment while a process starts another program, and for ever where it was started with nothing. */
async function readEnviron({ pid, parent }: ProcessRow): Promise<string> {
  for (const delayMs of parent === 0 ? [0] : [1, 5, 10, 0]) {
    // Another user's environment cannot be read; its row still tells the family.
    const environ = readNow(`/proc/${pid}/environ`) ?? 'unreadable';
    if (environ !== '' || delayMs === 0) return environ;
    await sleep(delayMs);
  }
  return '';
}

/** Most processes of a machine are threads of its kernel, which have no environment and no mark. */
function isOfKernel(stat: string): boolean {
  const flags = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 7)[6];
  return (Number(flags) & PF_KTHREAD) !== 0;
}

const PF_KTHREAD = 0x0020_0000;

function runIdsIn(environ: string): string[] {
  const prefix = `${RUN_ID_VARIABLE}=`;
  const entry = environ.split('\0').find((line) => line.startsWith(prefix));
  return entry ? entry.slice(prefix.length).split('/') : [];
}

async function ps(args: readonly string[]): Promise<string> {
  try {
    // Loaded where it is needed: on Linux it never is, and it costs as much as the table.
    const { execFile } = await import('node:child_process');
    const { stdout } = await promisify(execFile)('ps', args, { env: { ...process.env, LC_ALL: 'C' } });
    return stdout;
  } catch {
    return '';
  }
}
