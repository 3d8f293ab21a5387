/** A glassbox of its own process that is measured while it works: what it printed, and what the kernel says that it took. Linux. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** As the kernel counts for programs. */
const TICKS_PER_S = 100;
const PAGE_BYTES = 4096;

export interface Measured {
  child: ChildProcess;
  /** Resolves when this was printed. */
  printed(text: string): Promise<void>;
  /** What was printed last. */
  tail(): string;
}

/** The built program with a home of its own, as soon as it says that it is ready. */
export async function startGlassbox(home: string, args: readonly string[], ready: string): Promise<Measured> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    GLASSBOX_STORE: join(home, 'store.db'),
    GLASSBOX_STATE_DIR: join(home, 's'),
    GLASSBOX_CONFIG: join(home, 'config.json'),
  };
  const child = spawn(process.execPath, [process.env.BENCH_CLI ?? '', ...args], { env });
  const waiting = new Map<string, () => void>();
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => {
      tail = (tail + more).slice(-200_000);
      for (const [text, wake] of waiting) if (tail.includes(text)) wake();
    });
  }
  const printed = (text: string) =>
    new Promise<void>((resolve) => {
      waiting.set(text, () => {
        waiting.delete(text);
        resolve();
      });
      if (tail.includes(text)) waiting.get(text)?.();
    });
  await printed(ready);
  return { child, printed, tail: () => tail };
}

/** Until it took next to nothing for a second. */
export async function untilQuiet(child: ChildProcess): Promise<void> {
  for (let before = -1; cpuOf(child) - before > 0.02; ) {
    before = cpuOf(child);
    await setTimeout(1000);
  }
}

export async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGINT');
  await ended;
}

/** Seconds that it took so far. */
export function cpuOf({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
}

export function bytesOf({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
}
