/** Reads what agents' programs write about their live sessions, each file once for each time that it changed. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Registered, Registry } from '../agent/presence.js';
import type { Trace } from '../agent/trace.js';
import { openOwn, placesIn, type Surroundings } from '../archive/index.js';

type Registering = Pick<Trace, 'name' | 'presence'>;

export interface RegistryEntry extends Registered {
  agent: Registering;
  path: string;
  /** Of the file, unless it tells. */
  at: number;
  writtenAt: number;
}

export interface RegistryFiles {
  /** Where they lie, whether the folders are there or not. */
  readonly folders: readonly string[];
  read(): Promise<RegistryEntry[]>;
}

/** No registry of a live session was seen to be longer. */
const MOST_BYTES = 256 * 1024;

export function createRegistryFiles(agents: readonly Registering[], surroundings: Surroundings): RegistryFiles {
  const places = agents.flatMap((agent) => {
    const { registry } = agent.presence ?? {};
    if (!registry) return [];
    return placesIn(registry.folders, surroundings).map((folder) => ({ agent, registry, folder }));
  });
  const known = new Map<string, { stamp: string; entry: RegistryEntry | undefined }>();

  return {
    folders: places.flatMap(({ folder, registry: { within } }) => within?.map((name) => join(folder, name)) ?? folder),
    async read() {
      const seen = new Set<string>();
      const entries: RegistryEntry[] = [];
      for (const { agent, registry, folder } of places) {
        for (const place of await filesIn(folder, registry)) {
          const path = join(folder, place);
          seen.add(path);
          const entry = await readOne(agent, registry, path, place);
          if (entry) entries.push(entry);
        }
      }
      for (const path of known.keys()) if (!seen.has(path)) known.delete(path);
      return entries;
    },
  };

  async function readOne(agent: Registering, registry: Registry, path: string, place: string) {
    const facts = await lstat(path).catch(() => undefined);
    if (!facts) return undefined;
    const stamp = `${facts.ino} ${facts.size} ${facts.mtimeMs}`;
    const before = known.get(path);
    if (before?.stamp === stamp) return before.entry;
    const text = await textOf(path);
    const value = jsonIn(text);
    // It is being written: what stood there before is still the last that was said.
    if (text !== undefined && /^\s*[{[]/.test(text) && value === undefined && before) return before.entry;
    const told = registry.read(place, value);
    const entry = told && { ...told, agent, path, at: told.at ?? facts.mtimeMs, writtenAt: facts.mtimeMs };
    known.set(path, { stamp, entry });
    return entry;
  }
}

async function filesIn(folder: string, registry: Registry, below = ''): Promise<string[]> {
  const depth = below === '' ? 0 : below.split('/').length;
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
  const files: string[] = [];
  for (const entry of entries) {
    const place = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isFile() && registry.files.test(place)) files.push(place);
    else if (entry.isDirectory() && depth < (registry.depth ?? 0) && mayHold(registry, place))
      files.push(...(await filesIn(folder, registry, place)));
  }
  return files;
}

function mayHold({ within }: Registry, place: string): boolean {
  return within === undefined || within.includes(place.split('/', 1)[0] ?? '');
}

async function textOf(path: string): Promise<string | undefined> {
  const file = await openOwn(path).catch(() => undefined);
  try {
    const { buffer, bytesRead } = (await file?.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0)) ?? {};
    return buffer?.toString('utf8', 0, bytesRead);
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}

function jsonIn(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
