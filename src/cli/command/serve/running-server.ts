/** Where this user's servers run: each leaves a note for the time that it runs, which only this user can read. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ClientError } from '../../../client/index.js';
import { verifyServer } from '../../../client/verify-server.js';
import { isAlive } from '../../../store/is-alive.js';

export interface RunningServer {
  url: string;
  /** Lets more browsers in, and does nothing else; void when the server has stopped. */
  token: string;
  /** By it the server is known: at its address somebody else may listen by now. */
  key: string;
}

export function createLinkToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Gives back how the note is taken away. */
export async function announceServer(folder: string, server: RunningServer): Promise<() => Promise<void>> {
  const notes = path.join(folder, 'running');
  await mkdir(notes, { recursive: true, mode: 0o700 });
  const file = path.join(notes, `${process.pid}.json`);
  await writeFile(file, JSON.stringify(server), { mode: 0o600 });
  return () => rm(file, { force: true });
}

/** What each of them answers, of those that answer and are themselves; notes of others, who were killed, are taken away. */
export async function askServers<Answer>(
  folder: string,
  ask: (server: RunningServer) => Promise<Answer>,
): Promise<Answer[]> {
  const notes = path.join(folder, 'running');
  const names = await readdir(notes).catch(() => []);
  const answers = await Promise.all(names.map((name) => askNoted(path.join(notes, name), ask)));
  return answers.flat();
}

const PATIENCE_MS = 5000;

async function askNoted<Answer>(file: string, ask: (server: RunningServer) => Promise<Answer>): Promise<Answer[]> {
  try {
    const server = JSON.parse(await readFile(file, 'utf8')) as RunningServer;
    await verifyServer(server.url, server.key, (url) => fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }));
    return [await ask(server)];
  } catch (error) {
    // The next start of a server that was killed has its key and often its address, but not its token.
    if (!isAlive(Number(path.basename(file, '.json')))) await rm(file, { force: true });
    else if (error instanceof ClientError && error.status !== 401) throw error;
    return [];
  }
}
