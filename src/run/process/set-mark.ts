/** Gives a process the mark of its run. */
import { execFile } from 'node:child_process';
import { markOf } from './process-mark.js';

/** Settles when it is done, or could not be: `prlimit` belongs to util-linux, which small systems may lack. */
export function setMark(pid: number, runId: string): Promise<void> {
  if (process.platform !== 'linux') return Promise.resolve();
  return new Promise((resolve) => {
    const args = [`--pid=${pid}`, `--locks=${markOf(runId)}:`];
    execFile('prlimit', args, { timeout: PATIENCE_MS }, () => resolve());
  });
}

const PATIENCE_MS = 5000;
