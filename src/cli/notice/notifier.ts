/** A program of the person's own that is told what happens: an argument vector without a shell, JSON on its standard input, bounded in time. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface Notifier {
  tell(news: object): void;
  /** Resolves when nothing of it is left. */
  close(): Promise<void>;
}

const LONGEST_MS = 10_000;

/** Its failure is told once, and stops nothing. */
export function createNotifier(
  vector: readonly string[],
  process: NodeJS.Process,
  onFailure: (text: string) => void,
): Notifier {
  const [program, ...args] = vector;
  const running = new Map<ChildProcess, Promise<void>>();
  let hasFailed = false;
  const endAll = () => {
    for (const child of running.keys()) end(child);
  };

  function fail(why: string): void {
    if (!hasFailed) onFailure(`the program of --notify ${why}.`);
    hasFailed = true;
  }

  return {
    tell(news) {
      if (program === undefined) return;
      if (running.size === 0) process.on('exit', endAll);
      const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true, windowsHide: true });
      const timer = setTimeout(() => {
        fail(`did not end within ${LONGEST_MS / 1000} s`);
        end(child);
      }, LONGEST_MS);
      const over = new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          running.delete(child);
          if (running.size === 0) process.off('exit', endAll);
          resolve();
        };
        child.on('error', (error: NodeJS.ErrnoException) => {
          fail(error.code === 'ENOENT' ? `is not there: ${program}` : `could not be started (${error.code})`);
          done();
        });
        child.on('exit', (status, signal) => {
          if (status !== 0) fail(status === null ? `was ended by ${signal}` : `ended with status ${status}`);
          done();
        });
      });
      running.set(child, over);
      // Whoever does not read it is told all the same.
      child.stdin.on('error', () => {});
      child.stdin.end(`${JSON.stringify({ schema: 1, ...news })}\n`);
    },
    async close() {
      await Promise.all(running.values());
    },
  };
}

/** With whatever it started. */
function end(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {}
}
