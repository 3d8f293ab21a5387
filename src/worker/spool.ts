/**
 * What a run told and no hub acknowledged yet, on disk: guarded events only, for this user alone, bounded, gone when they are
 * acknowledged. It outlives the worker, so that the next start can bring them. A disk that takes nothing costs only that: what waits is then
 * in memory alone, within the same bounds, until the disk takes it.
 */
import {
  closeSync,
  fdatasync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { AgentEvent } from '../event/index.js';
import type { ProcessIdentity } from '../run/process/reaper.js';
import type { JobHold, RunStart } from '../store/index.js';
import { boundedEvents, sizeOf } from './bounded-events.js';

/** To whom it belongs. */
export interface SpoolHead {
  start: RunStart;
  job: JobHold;
  hub: string;
  pid: number;
  /** Of the process with that number: where each start has the same one, as in a container, it tells them apart. */
  startTime?: string;
  /** Of the run's claim; absent while no hub has it. */
  epoch?: number;
  /** How the run ended; absent while it runs. */
  outcome?: string;
}

export interface Spool {
  readonly head: SpoolHead;
  /** What waits, in order. */
  waiting(): readonly AgentEvent[];
  add(events: readonly AgentEvent[]): void;
  /** More is known of the run. */
  note(facts: Pick<SpoolHead, 'epoch' | 'outcome'>): void;
  /** Everything up to this `seq` is safe at the hub. */
  acknowledge(seq: number): void;
  /** Nothing of it is needed any more. */
  remove(): void;
  /** Stays on disk for the next start. */
  close(): void;
}

export interface LeftSpool {
  file: string;
  head: SpoolHead;
  events: AgentEvent[];
}

export interface SpoolOptions {
  /** Default 64 MiB. */
  mostBytes?: number;
  /** Called once when the disk takes nothing. */
  onTrouble?: (error: Error) => void;
}

const MOST_BYTES = 64 * 1024 * 1024;

export function openSpool(
  folder: string,
  head: SpoolHead,
  { mostBytes = MOST_BYTES, onTrouble }: SpoolOptions = {},
): Spool {
  const file = path.join(folder, `${head.start.runId}.jsonl`);
  let facts = head;
  let events: AgentEvent[] = [];
  let bytes = 0;
  /** Absent while the disk takes nothing. */
  let fd: number | undefined;
  let isOpen = true;
  let isSyncing = false;
  let isTold = false;
  rewrite();

  return {
    get head() {
      return facts;
    },
    waiting: () => events,
    add(more) {
      events.push(...more);
      bytes += sizeOf(more);
      if (bytes <= mostBytes) write(more);
      else {
        events = boundedEvents(events, mostBytes);
        bytes = sizeOf(events);
        rewrite();
      }
      sync();
    },
    note(more) {
      facts = { ...facts, ...more };
      rewrite();
    },
    acknowledge(seq) {
      const found = events.findIndex((event) => event.seq > seq);
      // What is gone is measured, not what is left: there may be much of it, many times.
      const gone = events.splice(0, found < 0 ? events.length : found);
      bytes -= sizeOf(gone);
      // Only when nothing waits: to write the rest again each time would cost more than what is gained.
      if (gone.length > 0 && events.length === 0) rewrite();
    },
    remove() {
      close();
      rmSync(file, { force: true });
    },
    close,
  };

  /** After what is there; all of it where something is missing. */
  function write(more: readonly AgentEvent[]): void {
    if (!isOpen || more.length === 0) return;
    try {
      if (fd === undefined) rewrite();
      else writeFileSync(fd, linesFor(more));
    } catch (error) {
      // A part may be there: whoever reads on behind half a line would read nothing more.
      forget();
      trouble(error);
    }
  }

  /** Into a file beside it, which then takes its place: whoever dies in between has one of the two. */
  function rewrite(): void {
    if (!isOpen) return;
    forget();
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      rmSync(`${file}.new`, { force: true });
      fd = openSync(`${file}.new`, 'a', 0o600);
      writeFileSync(fd, linesFor([facts, ...events]));
      renameSync(`${file}.new`, file);
    } catch (error) {
      forget();
      trouble(error);
    }
  }

  function forget(): void {
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
  }

  function trouble(error: unknown): void {
    if (isTold) return;
    isTold = true;
    onTrouble?.(error instanceof Error ? error : new Error(String(error)));
  }

  /** A machine that dies takes with it what its disk never had. One at a time: the next covers what came meanwhile. */
  function sync(): void {
    if (isSyncing || fd === undefined) return;
    isSyncing = true;
    fdatasync(fd, () => {
      isSyncing = false;
    });
  }

  function close(): void {
    isOpen = false;
    forget();
  }
}

const linesFor = (lines: readonly (AgentEvent | SpoolHead)[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

export interface LeftSpoolOptions {
  isAlive(process: ProcessIdentity): Promise<boolean>;
  /** Hears of files that cannot be read. */
  log(text: string): void;
}

/** Those of workers that are gone. A line that was cut when its writer died, or is no event of the run, ends the reading. */
export async function leftSpools(folder: string, { isAlive, log }: LeftSpoolOptions): Promise<LeftSpool[]> {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  } catch {
    return [];
  }
  const found: LeftSpool[] = [];
  for (const name of names) {
    const file = path.join(folder, name);
    try {
      const [head, ...lines] = linesOf(file);
      if (!isHead(head) || `${head.start.runId}.jsonl` !== name) continue;
      const { pid, startTime = '' } = head;
      if (!(await isAlive({ pid, startTime }))) found.push({ file, head, events: eventsIn(lines, head.start.runId) });
    } catch (error) {
      log(`What an earlier worker left in ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
    }
  }
  return found;
}

function linesOf(file: string): unknown[] {
  const lines: unknown[] = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    try {
      lines.push(JSON.parse(line));
    } catch {
      break;
    }
  }
  return lines;
}

function eventsIn(lines: readonly unknown[], runId: string): AgentEvent[] {
  const odd = lines.findIndex((line) => !isObject(line) || line.runId !== runId || !Number.isSafeInteger(line.seq));
  return (odd < 0 ? lines : lines.slice(0, odd)) as AgentEvent[];
}

function isHead(value: unknown): value is SpoolHead {
  if (!isObject(value)) return false;
  const { start, job, pid } = value;
  return isObject(start) && isObject(job) && typeof pid === 'number';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
