/** The line between a machine and the hubs, as a load balancer is one: each connection goes to a hub that listens. It can be cut and be slow. */
import { connect, createServer, type Socket } from 'node:net';

export interface BadLine {
  readonly url: string;
  /** Open connections end nowhere, and so do new ones, until it is mended. */
  cut(): void;
  /** Everything takes so much longer. */
  slow(ms: number): void;
  mend(): void;
  close(): Promise<void>;
}

export async function openBadLine(hubPorts: () => readonly number[]): Promise<BadLine> {
  const open = new Set<Socket>();
  let isCut = false;
  let delayMs = 0;
  let next = 0;
  const server = createServer((from) => {
    const ports = hubPorts();
    next += 1;
    const to = connect({ host: '127.0.0.1', port: ports[next % ports.length] ?? 1 });
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(one);
      one.on('data', (bytes) => {
        if (isCut) return;
        if (delayMs === 0) other.write(bytes);
        else setTimeout(() => other.writable && other.write(bytes), delayMs);
      });
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        if (delayMs === 0) other.destroy();
        else setTimeout(() => other.destroy(), delayMs);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    cut() {
      isCut = true;
    },
    slow(ms) {
      delayMs = ms;
    },
    mend() {
      // What went nowhere, or is still on its way, is missing: such a connection is of no use any more.
      if (isCut || delayMs > 0) for (const socket of open) socket.destroy();
      isCut = false;
      delayMs = 0;
    },
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
