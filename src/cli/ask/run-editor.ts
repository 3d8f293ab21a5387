/** Opens a file in the person's own editor, on a terminal that it takes over. */
import { spawn } from 'node:child_process';

/** What went wrong, for people; undefined when it was closed well. `EDITOR` may hold arguments, as in `code --wait`; no shell reads it. */
export function runEditor(
  env: NodeJS.ProcessEnv,
  file: string,
  { input, output }: { input: number; output: number },
): Promise<string | undefined> {
  const editor = env.VISUAL || env.EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi');
  const [program = editor, ...args] = editor.split(/\s+/);
  const problem = `The editor (${editor}) did not work; set EDITOR.`;
  return new Promise((resolve) => {
    const child = spawn(program, [...args, file], { stdio: [input, output, output] });
    child.on('error', () => resolve(problem));
    child.on('exit', (code) => resolve(code === 0 ? undefined : problem));
  });
}
