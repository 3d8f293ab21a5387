/** Rows for somebody who reads: what does not fit the screen is shown by the pager, else it is printed. */
import { spawn } from 'node:child_process';
import { print } from './sink.js';

export async function pageRows(rows: readonly string[], process: NodeJS.Process, wantsPager: boolean): Promise<void> {
  const { stdout, env } = process;
  const isLong = stdout.isTTY === true && rows.length >= (stdout.rows || 24);
  if (!wantsPager || !isLong || !(await readBy(env.GLASSBOX_PAGER || env.PAGER || 'less', rows, process)))
    await print(stdout, rows);
}

/** False when there is no such program: then nothing was shown. No shell reads its name; Ctrl-C is for the pager alone. */
function readBy(pager: string, rows: readonly string[], process: NodeJS.Process): Promise<boolean> {
  const [program = pager, ...args] = pager.split(/\s+/);
  // What an agent wrote must not make the pager start programs or write files.
  const env = { LESS: 'FRX', ...process.env, LESSSECURE: '1' };
  return new Promise((resolve) => {
    const leave = () => {};
    const child = spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'], env });
    process.on('SIGINT', leave);
    const end = (isShown: boolean) => {
      process.off('SIGINT', leave);
      resolve(isShown);
    };
    child.on('error', () => end(false));
    child.on('close', (code) => end(code !== 127));
    // Whoever has read enough leaves before the end.
    child.stdin.on('error', () => {});
    child.stdin.end(`${rows.join('\n')}\n`);
  });
}
