/** Who of a run is still alive, and ending them: marked children wherever they hide, its process group, and its known descendants. */
import { setTimeout as sleep } from 'node:timers/promises';
import { markOf } from './process-mark.js';
import { type ProcessRow, readProcess, readProcessTable } from './process-table.js';

export interface Family {
  runId: string;
  /** The process that was spawned; it leads its own group on POSIX. */
  leader?: Pick<ProcessRow, 'pid' | 'startTime'> | undefined;
  /** Descendants seen earlier: found again even if they cleaned their environment and left the group. */
  known?: readonly Pick<ProcessRow, 'pid' | 'startTime'>[];
}

export interface Survivors {
  /** Who was still there after the time that they had to go by themselves. */
  found: ProcessRow[];
  /** Who could not be ended. */
  left: ProcessRow[];
}

async function findSurvivors(family: Family): Promise<ProcessRow[]> {
  return selectSurvivors(await readProcessTable(), family);
}

/** The rows that belong to the family; never this process. */
export function selectSurvivors(table: readonly ProcessRow[], { runId, leader, known = [] }: Family): ProcessRow[] {
  const identities = new Set(known.map(identity));
  if (leader) identities.add(identity(leader));
  // While a group lives its number is not given to a new process, so a stranger under the leader's number proves that the group is gone.
  const reused = table.some((row) => row.pid === leader?.pid && row.startTime !== leader.startTime);
  const groupId = reused ? undefined : leader?.pid;
  const mark = markOf(runId);
  const belongs = (row: ProcessRow) =>
    row.runIds.includes(runId) || row.mark === mark || row.group === groupId || identities.has(identity(row));
  return table.filter((row) => row.pid !== process.pid && belongs(row));
}

/** Waits `graceMs` for the survivors to go, then asks them (SIGTERM), then kills them. */
export async function endSurvivors(family: Family, graceMs: number): Promise<Survivors> {
  if (process.platform === 'win32') return endTree(family);
  if (await areGone(family, graceMs)) return NOBODY;
  const found = await signalAll(family, 'SIGTERM');
  if (await areGone(family, TERM_WAIT_MS)) return { found, left: [] };
  const deadline = performance.now() + KILL_WAIT_MS;
  // Again and again, because one that forks while it is killed leaves a child that was not in the table.
  do await signalAll(family, 'SIGKILL');
  while (!(await areGone(family, POLL_MS)) && performance.now() < deadline);
  return { found, left: await findSurvivors(family) };
}

/** Sends a signal, if the process is still the one that was meant. */
async function signalIfSame(row: Pick<ProcessRow, 'pid' | 'startTime'>, signal: NodeJS.Signals): Promise<void> {
  const now = await readProcess(row.pid);
  if (now?.startTime === row.startTime) signalPid(row.pid, signal);
}

/** `kill` that does not mind who is gone already. */
export function signalPid(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone, or no longer ours to signal.
  }
}

const NOBODY: Survivors = { found: [], left: [] };
const TERM_WAIT_MS = 1000;
const KILL_WAIT_MS = 5000;
const POLL_MS = 50;
const SECOND_LOOK_MS = 10;

function identity({ pid, startTime }: Pick<ProcessRow, 'pid' | 'startTime'>): string {
  return `${pid}@${startTime}`;
}

/** Looks twice before it believes that nobody is left: one that forks and exits in the same moment is in no single look. */
async function areGone(family: Family, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  let looks = 0;
  for (;;) {
    const survivors = await findSurvivors(family);
    looks = survivors.length === 0 ? looks + 1 : 0;
    if (looks === 2) return true;
    const left = deadline - performance.now();
    if (looks === 0 && left <= 0) return false;
    await sleep(looks === 1 ? SECOND_LOOK_MS : Math.min(POLL_MS, left));
  }
}

async function signalAll(family: Family, signal: NodeJS.Signals): Promise<ProcessRow[]> {
  const survivors = await findSurvivors(family);
  await Promise.all(survivors.map((row) => signalIfSame(row, signal)));
  return survivors;
}

/** Windows has neither groups nor a readable environment: the tree below the leader, best effort. */
async function endTree({ leader }: Family): Promise<Survivors> {
  if (!leader) return NOBODY;
  // Loaded where it is needed: everybody who looks for the dead comes by here.
  const { execFile } = await import('node:child_process');
  return new Promise((resolve) => {
    execFile('taskkill', ['/pid', String(leader.pid), '/T', '/F'], { windowsHide: true }, () => resolve(NOBODY));
  });
}
