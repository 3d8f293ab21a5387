/** True bytes of real agents: the chosen ones in this repository, and all others when `../shared/recordings` lies beside it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Recording {
  /** `claude/basic-text`. */
  name: string;
  agent: string;
  stdout: Uint8Array;
}

const own = 'test/recordings';
const shared = '../shared/recordings';

/** `<agent>/<case>/stdout.jsonl` in this repository; the expected results lie beside it. */
export function ownRecordings(): (Recording & { folder: string })[] {
  return foldersIn(own).flatMap((agent) =>
    foldersIn(join(own, agent)).map((name) => {
      const folder = join(own, agent, name);
      return { name: `${agent}/${name}`, agent, folder, stdout: readFileSync(join(folder, 'stdout.jsonl')) };
    }),
  );
}

/** `<folder>/<case>.jsonl` with the agent's name in `<case>.meta.json`; empty when the folder is not there. */
export function sharedRecordings(): Recording[] {
  if (!existsSync(shared)) return [];
  return foldersIn(shared).flatMap((folder) =>
    readdirSync(join(shared, folder))
      .filter((file) => file.endsWith('.meta.json'))
      .map((file) => file.slice(0, -'.meta.json'.length))
      .filter((name) => existsSync(join(shared, folder, `${name}.jsonl`)))
      .map((name) => {
        const meta = JSON.parse(readFileSync(join(shared, folder, `${name}.meta.json`), 'utf8'));
        const stdout = readFileSync(join(shared, folder, `${name}.jsonl`));
        return { name: `${folder}/${name}`, agent: meta.agent ?? folder, stdout };
      }),
  );
}

function foldersIn(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}
