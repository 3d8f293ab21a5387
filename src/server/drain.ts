/** The end of a server: nothing more is taken, what was asked before is answered, within bounds, and who asked nothing is not waited for. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

const LOOK_MS = 20;

/** To be made before the first connection. */
export function createDrain(server: Server): (mostMs: number) => Promise<void> {
  // Browsers and programs connect in advance and keep that for seconds; to Node a connection is busy until its first request is over.
  const unasked = new Set<Socket>();
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    unasked.add(socket);
    socket.once('close', () => unasked.delete(socket));
  });
  server.on('request', ({ socket }) => unasked.delete(socket));

  return async (mostMs) => {
    const looks = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of unasked) socket.destroy();
    }, LOOK_MS);
    const late = setTimeout(() => server.closeAllConnections(), mostMs);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    clearInterval(looks);
    clearTimeout(late);
  };
}
