/** True bytes of real agents: the chosen ones in this repository, and all others when a folder `../shared` lies beside it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Recording {
  /** `claude/basic-text`. */
  name: string;
  agent: string;
  stdout: Uint8Array;
  /** Both sides of the conversation, where the agent was spoken to: a file with a message in each line. */
  conversation: string | undefined;
  /** How it was made, as its recorder wrote it down. */
  meta: { version?: string; exitCode?: number | null };
}

const own = 'test/recordings';
/** `<folder>/<case>.jsonl`, newer ones in a folder of their own. */
const sharedFolders = ['../shared/recordings', '../shared/recordings-new'];
/** `<folder>/<case>/stream.jsonl`, beside what the agent left on disk. */
const sharedHomes = '../shared/homes';

/** Folders are named after their agent, and some also after its version or its way of speaking. */
const dialect = /-(?:\d[\d.-]*|latest|synthetic|app-server|acp|rpc|code)$/;
export const agentOfFolder = (folder: string): string => folder.replace(dialect, '');

/** `<agent>/<case>/stdout.jsonl` in this repository; the expected results lie beside it. */
export function ownRecordings(): (Recording & { folder: string })[] {
  return foldersIn(own).flatMap((kind) =>
    foldersIn(join(own, kind)).map((name) => {
      const folder = join(own, kind, name);
      const files = { stdout: 'stdout.jsonl', meta: 'meta.json', conversation: 'io.jsonl' };
      return { ...readRecording(`${kind}/${name}`, kind, inside(folder, files)), folder };
    }),
  );
}

/** Empty when the folder is not there. */
export function sharedRecordings(): Recording[] {
  const flat = sharedFolders.flatMap((root) =>
    foldersIn(root).flatMap((folder) =>
      filesIn(join(root, folder))
        .filter((file) => file.endsWith('.meta.json'))
        .map((file) => file.slice(0, -'.meta.json'.length))
        .filter((name) => existsSync(join(root, folder, `${name}.jsonl`)))
        .map((name) => {
          const files = { stdout: `${name}.jsonl`, meta: `${name}.meta.json`, conversation: `${name}.io.jsonl` };
          return readRecording(`${folder}/${name}`, folder, inside(join(root, folder), files));
        }),
    ),
  );
  const homes = foldersIn(sharedHomes).flatMap((folder) =>
    foldersIn(join(sharedHomes, folder)).map((name) => {
      const files = { stdout: 'stream.jsonl', meta: 'stream.meta.json', conversation: 'stream.io.jsonl' };
      return readRecording(`${folder}/${name} (home)`, folder, inside(join(sharedHomes, folder, name), files));
    }),
  );
  return [...flat, ...homes];
}

/** All there are, each once: most of those in this repository were chosen from the shared ones. */
export function allRecordings(): Recording[] {
  const shared = sharedRecordings();
  const names = new Set(shared.map(({ name }) => name.replace(/ \(home\)$/, '')));
  return [...shared, ...ownRecordings().filter(({ name }) => !names.has(name))];
}

/** What its lines say; those that are no JSON are left out. */
export function valuesOf(stdout: Uint8Array): unknown[] {
  return new TextDecoder()
    .decode(stdout)
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

interface Files {
  stdout: string;
  meta: string;
  conversation: string;
}

function inside(folder: string, { stdout, meta, conversation }: Files): Files {
  return { stdout: join(folder, stdout), meta: join(folder, meta), conversation: join(folder, conversation) };
}

function readRecording(name: string, folder: string, { stdout, meta, conversation }: Files): Recording {
  return {
    name,
    agent: agentOfFolder(folder),
    stdout: readFileSync(stdout),
    conversation: existsSync(conversation) ? conversation : undefined,
    meta: JSON.parse(readFileSync(meta, 'utf8')),
  };
}

function foldersIn(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

function filesIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
}
