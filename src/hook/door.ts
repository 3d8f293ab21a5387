/**
 * The socket that hooks know. One process has it; who comes later waits in line, connected to the first, and takes it over when that one ends,
 * however it does.
 */
import { lstat } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type HookConnection, type HookListener, listenAt } from './listener.js';

/** Two that began at the same moment may have taken it from each other: so often is looked whose it is. */
const LOOK_MS = 5000;

/** Rejects when nobody could listen there. */
export async function holdDoor(
  socket: string,
  onPayload: (payload: unknown, connection: HookConnection) => void,
): Promise<HookListener> {
  const closing = new AbortController();
  const { signal } = closing;
  let held = await listenAt(socket, onPayload);
  const keeping = keep();
  return {
    async close() {
      closing.abort();
      await keeping;
      await held?.close();
    },
  };

  async function keep(): Promise<void> {
    while (!signal.aborted) {
      if (held) {
        const own = await inodeOf(socket);
        while (!signal.aborted && own !== undefined && (await inodeOf(socket)) === own) await rest();
        if (signal.aborted) return;
        await held.close();
        held = undefined;
      } else if (!(await waitInLine(socket, signal))) await rest(100);
      if (!signal.aborted) held = await listenAt(socket, onPayload).catch(() => undefined);
    }
  }

  function rest(ms = LOOK_MS): Promise<void> {
    return setTimeout(ms, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Until whoever has it lets go, also of one that says nothing. False when nobody was there. */
function waitInLine(socket: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const leave = () => connection.destroy();
    let isThere = false;
    signal.addEventListener('abort', leave, { once: true });
    connection.on('error', () => {});
    connection.once('connect', () => {
      isThere = true;
    });
    connection.once('close', () => {
      signal.removeEventListener('abort', leave);
      resolve(isThere);
    });
  });
}

async function inodeOf(socket: string): Promise<number | undefined> {
  return (await lstat(socket).catch(() => undefined))?.ino;
}
