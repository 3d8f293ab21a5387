/** Lets a person change the input of a tool call in an editor; what is left alone keeps its original, also where it was shown redacted. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Changes, changesBetween } from '../run/index.js';

export type Edited = { changes: Changes } | { problem: string };

export async function editInput(shown: unknown, env: NodeJS.ProcessEnv): Promise<Edited> {
  const directory = await mkdtemp(path.join(tmpdir(), 'glassbox-edit-'));
  const file = path.join(directory, 'input.json');
  try {
    await writeFile(file, `${JSON.stringify(shown, undefined, 2)}\n`, { mode: 0o600 });
    const editor = env.VISUAL || env.EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi');
    if (!(await runEditor(editor, file))) return { problem: `The editor (${editor}) did not work; set EDITOR.` };
    const edited: unknown = JSON.parse(await readFile(file, 'utf8'));
    return { changes: changesBetween(shown, edited) };
  } catch {
    return { problem: 'That is no JSON any more; nothing was changed.' };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** `EDITOR` may hold arguments, as in `code --wait`; no shell reads it. */
function runEditor(editor: string, file: string): Promise<boolean> {
  const [program = editor, ...args] = editor.split(/\s+/);
  return new Promise((resolve) => {
    const child = spawn(program, [...args, file], { stdio: 'inherit' });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}
