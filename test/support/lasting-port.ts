/** A port for what is stopped and started again: below those that the system gives to anybody in between. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

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
