/**
 * Reads the logs of programs that tell there when they ask somebody, from where it stopped: such a line is there at once, and the conversation
 * tells only that a call has no result.
 */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../agent/presence.js';
import type { Trace } from '../agent/trace.js';
import { openOwn, placesIn, type Surroundings } from '../archive/index.js';
import { keyOf } from './session.js';

export interface Logs {
  /** Where they lie, whether the folders are there or not. */
  readonly folders: readonly string[];
  read(): Promise<void>;
  /** When it last asked something, ms since the epoch; undefined when that is not told, or was answered. */
  askedBy(session: { agent: string; sessionId: string }): number | undefined;
}

interface Place {
  agent: string;
  log: Log;
  folder: string;
  /** The file that is read, and how far. */
  file?: { path: string; ino: number; read: number; rest: string };
}

/** What is older than this much of a log was answered, or is told by the conversation. */
const TAIL_BYTES = 256 * 1024;
const MOST_KEPT = 200;

export function createLogs(agents: readonly Pick<Trace, 'name' | 'presence'>[], surroundings: Surroundings): Logs {
  const places = agents.flatMap(({ name, presence }): Place[] => {
    const { log } = presence ?? {};
    return log ? placesIn(log.folders, surroundings).map((folder) => ({ agent: name, log, folder })) : [];
  });
  /** Which session each of the processes that share a log spoke of last. */
  const speaking = new Map<string, string>();
  const asked = new Map<string, { at: number; id?: string | undefined }>();
  const parents = new Map<string, string>();

  return {
    folders: places.map(({ folder }) => folder),
    async read() {
      for (const place of places) await readOn(place).catch(() => {});
    },
    askedBy: (session) => asked.get(keyOf(session))?.at,
  };

  async function readOn(place: Place): Promise<void> {
    const path = await newestIn(place);
    if (path === undefined) return;
    const facts = await lstat(path);
    const isSame = place.file?.path === path && place.file.ino === facts.ino && place.file.read <= facts.size;
    const from = isSame && place.file ? place.file.read : Math.max(0, facts.size - TAIL_BYTES);
    if (isSame && from === facts.size) return;
    const length = Math.min(facts.size - from, TAIL_BYTES);
    const bytes = Buffer.alloc(length);
    const handle = await openOwn(path);
    let read = 0;
    try {
      ({ bytesRead: read } = await handle.read(bytes, 0, length, from));
    } finally {
      await handle.close();
    }
    const text = (isSame ? (place.file?.rest ?? '') : '') + bytes.toString('latin1', 0, read);
    const lines = text.split('\n');
    const rest = lines.pop() ?? '';
    place.file = { path, ino: facts.ino, read: from + read, rest: rest.slice(0, TAIL_BYTES) };
    for (const line of lines) hear(place, line);
  }

  function hear({ agent, log }: Place, line: string): void {
    const told = log.read(line);
    if (!told) return;
    const speaker = `${agent} ${told.by}`;
    if (told.sessionId !== undefined) keep(speaking, speaker, told.sessionId);
    if (told.sessionId !== undefined && told.parentId !== undefined) keep(parents, told.sessionId, told.parentId);
    if (told.says === undefined) return;
    for (const sessionId of lineOf(speaking.get(speaker))) {
      const key = keyOf({ agent, sessionId });
      if (told.says === 'asks') keep(asked, key, { at: told.at, id: told.id });
      else if (asked.get(key)?.id === told.id) asked.delete(key);
    }
  }

  /** With those that it works for, who wait when it does. */
  function lineOf(sessionId: string | undefined): string[] {
    const line: string[] = [];
    for (let one = sessionId; one !== undefined && !line.includes(one); one = parents.get(one)) line.push(one);
    return line;
  }
}

async function newestIn({ folder, log }: Place): Promise<string | undefined> {
  const names = (await readdir(folder)).filter((name) => log.files.test(name));
  if (names.length < 2) return names[0] === undefined ? undefined : join(folder, names[0]);
  const times = await Promise.all(names.map(async (name) => ({ name, at: (await lstat(join(folder, name))).mtimeMs })));
  return join(folder, times.reduce((last, one) => (one.at > last.at ? one : last)).name);
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST_KEPT && oldest !== undefined) map.delete(oldest);
}
