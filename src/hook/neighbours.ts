/**
 * The processes of glassbox that hear hooks on this machine. Each has a socket of its own beside the one that hooks know, so that whoever has
 * that one can pass on what it hears: news to everybody, a question to who follows its session or to where somebody looks.
 */
import { readdir, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { type HookConnection, type HookListener, listenAt } from './listener.js';

export interface Neighbours extends HookListener {
  /** Tells all of them what happened. */
  tell(payload: unknown): void;
  /** Hands a question over to this process. False when it is not there. */
  pass(pid: number, payload: unknown, connection: HookConnection, hops: number): Promise<boolean>;
  /** Where somebody looks who may answer. */
  attended(): Promise<Attended[]>;
}

export interface Attended {
  pid: number;
  /** Where it keeps its data: whoever shares it sees the same questions. */
  store: string;
}

export interface Neighbour {
  /** Of the socket that hooks know. */
  folder: string;
  store: string;
  isAttended(): boolean;
  onNews(payload: unknown): void;
  onQuestion(payload: unknown, connection: HookConnection, hops: number): void;
}

interface Message {
  glassbox?: 'news' | 'question' | 'who';
  payload?: unknown;
  hops?: number;
}

/** Who looks is asked again after so long. */
const KNOWN_MS = 1000;
const PATIENCE_MS = 2000;
/** Whoever has a question gives a sign every second; one that is suspended does not. */
const SILENCE_MS = 4000;

export async function joinNeighbours({ folder, store, isAttended, ...on }: Neighbour): Promise<Neighbours> {
  const own = await listenAt(socketOf(process.pid), (message, connection) => {
    const { glassbox, payload, hops = 0 } = message as Message;
    if (glassbox === 'question') return on.onQuestion(payload, connection, hops);
    connection.end(glassbox === 'who' ? { attended: isAttended(), store } : undefined);
    if (glassbox === 'news') on.onNews(payload);
  });
  let known: { until: number; who: Promise<Attended[]> } | undefined;

  return {
    tell(payload) {
      void others().then((pids) => {
        for (const pid of pids) void reach(pid, { glassbox: 'news', payload }).then((reached) => reached?.resume());
      });
    },
    async pass(pid, payload, connection, hops) {
      const reached = await reach(pid, { glassbox: 'question', payload, hops });
      if (!reached) return false;
      reached.setTimeout(SILENCE_MS, () => reached.destroy());
      connection.gone.addEventListener('abort', () => reached.destroy());
      void textOf(reached).then((said) => connection.end(parsed(said)));
      return true;
    },
    attended() {
      if (!known || known.until < Date.now()) known = { until: Date.now() + KNOWN_MS, who: whoIsAttended() };
      return known.who;
    },
    close: async () => own?.close(),
  };

  function socketOf(pid: number): string {
    return path.join(folder, `${pid}.sock`);
  }

  async function others(): Promise<number[]> {
    const names = await readdir(folder).catch(() => []);
    const pids = names.flatMap((name) => /^(\d+)\.sock$/.exec(name)?.[1] ?? []).map(Number);
    return pids.filter((pid) => pid !== process.pid);
  }

  async function whoIsAttended(): Promise<Attended[]> {
    const asked = (await others()).map(async (pid) => {
      const reached = await reach(pid, { glassbox: 'who' });
      reached?.setTimeout(PATIENCE_MS, () => reached.destroy());
      const said = reached && parsed(await textOf(reached));
      return said?.attended === true ? [{ pid, store: String(said.store) }] : [];
    });
    return (await Promise.all(asked)).flat();
  }

  /** Undefined when it is gone; one that was killed leaves its socket behind. */
  function reach(pid: number, message: Message): Promise<Socket | undefined> {
    return new Promise((resolve) => {
      const connection = connect(socketOf(pid));
      connection.once('connect', () => {
        connection.write(JSON.stringify(message));
        resolve(connection);
      });
      connection.on('error', ({ code }: NodeJS.ErrnoException) => {
        if (code === 'ECONNREFUSED') void rm(socketOf(pid), { force: true });
        resolve(undefined);
      });
    });
  }
}

function textOf(connection: Socket): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    connection.setEncoding('utf8').on('data', (more: string) => {
      said += more;
    });
    connection.once('close', () => resolve(said));
  });
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
