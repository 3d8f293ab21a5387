/**
 * The socket to which hooks bring what they are told. Only this user gets to it; what is no hook's text is not answered; and whoever
 * waits hears something or nothing, but never waits for one that is gone.
 */
import { chmod, lstat, mkdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { GlassboxError } from '../event/index.js';

export interface HookConnection {
  /** Says something, or nothing, and is over. False when nobody was there any more. */
  end(answer?: object): boolean;
  /** Whoever asked went away before it was answered. */
  readonly gone: AbortSignal;
}

export interface HookListener {
  close(): Promise<void>;
}

/** Larger than any call that a person would read, and no burden. */
const MOST_BYTES = 16 * 2 ** 20;
/** A hook that takes longer to say what it has to say is none. */
const PATIENCE_MS = 10_000;

/** Whoever waits hears this so often; one that hears nothing gives up. It is no part of an answer. */
export const SIGN_OF_LIFE = '\n';
const SIGN_MS = 1000;

/** Undefined when somebody else listens there already. */
export async function listenAt(
  socket: string,
  onPayload: (payload: unknown, connection: HookConnection) => void,
): Promise<HookListener | undefined> {
  await claimFolder(path.dirname(socket));
  if (await isTaken(socket)) return undefined;
  await rm(socket, { force: true });
  const open = new Set<Socket>();
  const server = createServer((connection) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
    receive(connection, onPayload);
  });
  await listen(server, socket);
  await chmod(socket, 0o600);
  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of open) connection.destroySoon();
      await closed;
    },
  };
}

function receive(connection: Socket, onPayload: (payload: unknown, connection: HookConnection) => void): void {
  const gone = new AbortController();
  const pieces: Buffer[] = [];
  let bytes = 0;
  let isRead = false;
  let timer = setTimeout(() => connection.destroy(), PATIENCE_MS);
  connection.on('error', () => {});
  connection.once('close', () => {
    clearTimeout(timer);
    gone.abort();
  });
  const take = (isOver: boolean): void => {
    // It says no end: it is whole when it reads as a whole.
    if (isRead || !(isOver || pieces.at(-1)?.toString('latin1').trimEnd().endsWith('}'))) return;
    const payload = parsed(Buffer.concat(pieces).toString('utf8'));
    if (payload === undefined) return;
    isRead = true;
    clearTimeout(timer);
    onPayload(payload, {
      gone: gone.signal,
      end(answer) {
        const isThere = !connection.destroyed && connection.writable;
        connection.end(answer === undefined ? '' : JSON.stringify(answer));
        return isThere;
      },
    });
    beat();
  };
  const beat = (): void => {
    if (connection.writableEnded || connection.destroyed) return;
    connection.write(SIGN_OF_LIFE);
    timer = setTimeout(beat, SIGN_MS);
  };
  connection.on('data', (piece) => {
    bytes += piece.length;
    if (bytes > MOST_BYTES) connection.destroy();
    else if (!isRead) {
      pieces.push(piece);
      take(false);
    }
  });
  connection.once('end', () => take(true));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Nobody else may enter, whoever made it. */
async function claimFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const facts = await lstat(folder);
  if (!facts.isDirectory() || facts.uid !== process.getuid?.()) {
    throw new GlassboxError('forbidden', `${folder} is not a folder of yours.`);
  }
  if ((facts.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

function isTaken(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const attempt = connect(socket);
    attempt.once('error', () => resolve(false));
    attempt.once('connect', () => {
      attempt.destroy();
      resolve(true);
    });
  });
}

function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new GlassboxError('write-failed', `Nobody can listen at ${socket}: ${error.message}`)),
    );
    server.listen(socket, resolve);
  });
}
