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

/** Folders that are not named after their agent. */
const agentOfFolder: Record<string, string> = {
  'amp-2026-01': 'amp',
  'amp-latest': 'amp',
  'codex-0.65.0': 'codex',
  'codex-app-server': 'codex',
  'cursor-synthetic': 'cursor',
  'kimi-synthetic': 'kimi',
  'opencode-acp': 'opencode',
  'pi-rpc': 'pi',
};

/** `<agent>/<case>/stdout.jsonl` in this repository; the expected results lie beside it. */
export function ownRecordings(): (Recording & { folder: string })[] {
  return foldersIn(own).flatMap((kind) =>
    foldersIn(join(own, kind)).map((name) => {
      const folder = join(own, kind, name);
      const stdout = readFileSync(join(folder, 'stdout.jsonl'));
      return { name: `${kind}/${name}`, agent: agentOfFolder[kind] ?? kind, folder, stdout };
    }),
  );
}

/** `<folder>/<case>.jsonl` with `<case>.meta.json` beside it; empty when the folder is not there. */
export function sharedRecordings(): Recording[] {
  if (!existsSync(shared)) return [];
  return foldersIn(shared).flatMap((folder) =>
    readdirSync(join(shared, folder))
      .filter((file) => file.endsWith('.meta.json'))
      .map((file) => file.slice(0, -'.meta.json'.length))
      .filter((name) => existsSync(join(shared, folder, `${name}.jsonl`)))
      .map((name) => ({
        name: `${folder}/${name}`,
        agent: agentOfFolder[folder] ?? folder,
        stdout: readFileSync(join(shared, folder, `${name}.jsonl`)),
      })),
  );
}

function foldersIn(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}
