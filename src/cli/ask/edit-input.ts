/** Lets a person change the input of a tool call in an editor; what is left alone keeps its original, also where it was shown redacted. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Changes, changesBetween } from '../../event/index.js';
import { runEditor } from './run-editor.js';

export type Edited = { changes: Changes } | { problem: string };

/** `terminal`: the descriptors of the terminal that the editor takes over. */
export async function editInput(
  shown: unknown,
  env: NodeJS.ProcessEnv,
  terminal: { input: number; output: number },
): Promise<Edited> {
  const directory = await mkdtemp(path.join(tmpdir(), 'glassbox-edit-'));
  const file = path.join(directory, 'input.json');
  try {
    await writeFile(file, `${JSON.stringify(shown, undefined, 2)}\n`, { mode: 0o600 });
    const problem = await runEditor(env, file, terminal);
    if (problem !== undefined) return { problem };
    const edited: unknown = JSON.parse(await readFile(file, 'utf8'));
    const changes = changesBetween(shown, edited);
    return changes ? { changes } : { problem: 'Nothing was changed.' };
  } catch {
    return { problem: 'That is no JSON any more; nothing was changed.' };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
