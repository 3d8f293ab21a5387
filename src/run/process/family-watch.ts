/**
 * One look at the process table a second, for all runs of this process together: who descends from an agent is remembered, so that
 * it is found again when it has cleaned its environment, left the group and lost its parent.
 */
import { type ProcessRow, readNewProcesses, readProcess } from './process-table.js';

export interface FamilyWatch {
  /** Who was seen to descend from the agent and was still there at the last look, the agent too. */
  known(): readonly ProcessRow[];
  /** Looks now. */
  look(): Promise<void>;
  stop(): void;
}

export interface WatchOptions {
  /** The process that was spawned. */
  pid: number;
  /** Called when somebody was found whom nothing but this knowledge finds: without a run id and in another group. */
  onHidden?(hidden: readonly ProcessRow[]): void;
}

interface Family extends WatchOptions {
  members: Map<number, ProcessRow>;
}

/** Elsewhere than on Linux a look starts another program. */
const LOOK_MS = process.platform === 'linux' ? 1000 : 5000;

const families = new Set<Family>();
/** Start times of those that were looked at: only who is new is read. */
let seen: ReadonlyMap<number, string> = new Map();
let timer: NodeJS.Timeout | undefined;
let looking: Promise<void> | undefined;

export function watchFamily(options: WatchOptions): FamilyWatch {
  const family: Family = { ...options, members: new Map() };
  families.add(family);
  // Its children may have been seen before it was known that they are its children.
  seen = new Map();
  timer ??= setInterval(() => void lookOnce().catch(() => {}), LOOK_MS).unref();
  return {
    known: () => [...family.members.values()],
    async look() {
      // One that is under way may have passed by already.
      await looking;
      await lookOnce();
    },
    stop() {
      families.delete(family);
      if (families.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}

/** A slow machine does not look twice at a time. */
function lookOnce(): Promise<void> {
  looking ??= look().finally(() => {
    looking = undefined;
  });
  return looking;
}

async function look(): Promise<void> {
  const { rows, present } = await readNewProcesses(seen);
  seen = present;
  for (const family of families) {
    for (const pid of family.members.keys()) if (!present.has(pid)) family.members.delete(pid);
    const adopted = await adopt(family, rows);
    if (adopted.some((row) => isHidden(row, family)))
      family.onHidden?.([...family.members.values()].filter((row) => isHidden(row, family)));
  }
}

/** Takes in the agent itself and whose parent is one of the family; children may stand before their parents. */
async function adopt({ pid, members }: Family, rows: readonly ProcessRow[]): Promise<ProcessRow[]> {
  const adopted: ProcessRow[] = [];
  let strangers = rows.filter((row) => !members.has(row.pid));
  for (let before = -1; before !== strangers.length; ) {
    before = strangers.length;
    const rest: ProcessRow[] = [];
    for (const row of strangers) {
      const belongs = row.pid === pid || (await isStill(members.get(row.parent)));
      const whole = belongs ? await readProcess(row.pid) : undefined;
      if (whole && whole.startTime === row.startTime) {
        members.set(row.pid, whole);
        adopted.push(whole);
      } else if (!belongs) rest.push(row);
    }
    strangers = rest;
  }
  return adopted;
}

/** Numbers are used again: a parent must be the one that was adopted. */
async function isStill(row: ProcessRow | undefined): Promise<boolean> {
  return row !== undefined && (await readProcess(row.pid))?.startTime === row.startTime;
}

function isHidden(row: ProcessRow, { pid }: Family): boolean {
  return row.runIds.length === 0 && row.group !== pid;
}
