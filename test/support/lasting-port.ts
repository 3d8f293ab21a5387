/** A port for what is stopped and started again: below those that the system gives to anybody in between. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for any machine to start a program; a bound only for what hangs. */
const MOST_TRIES = 1500;
const PAUSE_MS = 40;

/**
 * Listens on a port that was let go just now. While a program is started, it has every socket of the process for a moment, those that are
 * closed here meanwhile too, and their ports stay taken.
 */
export async function listenAgain<Result>(listen: () => Promise<Result>): Promise<Result> {
  for (let left = MOST_TRIES; ; left -= 1) {
    try {
      return await listen();
    } catch (error) {
      if (left === 0 || !isTaken(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** As the system says it, or as the server does. */
function isTaken(error: unknown): boolean {
  return (
    error instanceof Error && (/ is taken\./.test(error.message) || ('code' in error && error.code === 'EADDRINUSE'))
  );
}
