/** The commands of the built program without a start for each: see `warm.mjs`. */
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { Ended } from './glassbox.js';

/** They do one thing and end; others go on until somebody ends them, or are about processes. */
const BRIEF = new Set([
  'answer',
  'apply',
  'approve',
  'archive',
  'budget',
  'compare',
  'comparisons',
  'complete',
  'completion',
  'config',
  'conform',
  'cost',
  'delete',
  'deny',
  'doctor',
  'export',
  'fork',
  'go-on',
  'help',
  'import',
  'init',
  'interrupt',
  'loop',
  'pin',
  'prune',
  'rename',
  'replay',
  'resume',
  'review',
  'rewind',
  'run',
  'say',
  'search',
  'sessions',
  'show',
  'stop',
  'token',
  'wait',
  'why',
  'why-state',
  'worktrees',
]);

/** A first word that is no command means the pipe. */
export function isBrief([first]: readonly string[]): boolean {
  return first === undefined || first.startsWith('-') || BRIEF.has(first);
}

export interface Asked {
  args: readonly string[];
  input: string | Uint8Array;
  env: NodeJS.ProcessEnv;
  cwd?: string;
}

let warm: ChildProcess | undefined;
let isBusy = false;

/** Nothing when the process is busy: a command that waits for another one must not have it wait for itself. */
export function askWarm(asked: Asked): Promise<Ended> | undefined {
  if (isBusy) return undefined;
  isBusy = true;
  warm ??= startWarm();
  const child = warm;
  return new Promise((resolve, reject) => {
    const forget = () => {
      isBusy = false;
      child.channel?.unref();
      child.off('message', onMessage).off('exit', onExit);
    };
    const onMessage = (ended: Ended) => {
      forget();
      resolve(ended);
    };
    const onExit = (status: number | null, signal: NodeJS.Signals | null) => {
      forget();
      warm = undefined;
      reject(new Error(`glassbox ${asked.args.join(' ')} ended the process: ${status ?? signal}`));
    };
    child.on('message', onMessage).on('exit', onExit);
    child.channel?.ref();
    child.send(asked);
  });
}

/** It ends with the thread that started it, whose end closes its channel. */
function startWarm(): ChildProcess {
  const child = fork(path.resolve(import.meta.dirname, 'warm.mjs'), [path.resolve('dist')], {
    serialization: 'advanced',
    execArgv: [],
  });
  child.unref();
  return child;
}
