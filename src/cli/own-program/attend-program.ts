/**
 * Gives the terminal to another program for as long as it runs, and takes it back as it was, however that program ends. Its keys are its
 * own, Ctrl-C too; when it stops itself (Ctrl-Z), glassbox stops with it and wakes it again; when glassbox is ended, so is it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { GlassboxError } from '../../event/index.js';
import type { OwnProgram } from './find-own-program.js';

/** What a program that was killed may have left: another screen, a hidden cursor, keys and mice that are told otherwise. */
const LEFT_BEHIND =
  '\x1b[?2026l\x1b[?1049l\x1b[?7h\x1b[?25h\x1b[?2004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1006l\x1b[>4;0m\x1b[<u\x1b[0m\r\n';
const LOOK_MS = 300;

/** Gives its exit status. Throws a `GlassboxError` when it cannot be started. */
export async function attendProgram(
  process: NodeJS.Process,
  { file, args, cwd, env }: Pick<OwnProgram, 'file' | 'args' | 'cwd' | 'env'>,
): Promise<number> {
  const settings = terminalSettings();
  const child = spawn(file, args, { cwd, env, stdio: 'inherit' });
  const ignore = () => {};
  const passOn = (name: NodeJS.Signals) => void child.kill(name);
  const timer = setInterval(() => stopWith(process, child), LOOK_MS);
  process.on('SIGINT', ignore);
  for (const name of ENDING) process.on(name, passOn);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (cause) =>
        reject(new GlassboxError('spawn-failed', `${file} could not be started in ${cwd}.`, { cause })),
      );
      child.once('exit', (status, signal) => {
        if (signal !== null && process.stdout.isTTY) process.stdout.write(LEFT_BEHIND);
        resolve(status ?? (signal === 'SIGINT' ? 130 : 1));
      });
    });
  } finally {
    clearInterval(timer);
    process.off('SIGINT', ignore);
    for (const name of ENDING) process.off(name, passOn);
    if (settings !== undefined) terminalSettings(settings);
  }
}

const ENDING = ['SIGTERM', 'SIGHUP'] as const;

/** How the terminal treats keys; with `wanted` it does so from now on. Undefined where there is none, or no way to ask. */
function terminalSettings(wanted = '-g'): string | undefined {
  try {
    return execFileSync('stty', [wanted], { stdio: ['inherit', 'pipe', 'ignore'], encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** A shell sees only glassbox: a program that stopped alone would leave a terminal that hears nobody. */
function stopWith(process: NodeJS.Process, child: ChildProcess): void {
  if (child.pid === undefined || !isStopped(child.pid)) return;
  process.once('SIGCONT', () => void child.kill('SIGCONT'));
  process.kill(process.pid, 'SIGSTOP');
}

/** Only Linux tells it without a program. */
function isStopped(pid: number): boolean {
  try {
    return / T /.test(readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/s, ''));
  } catch {
    return false;
  }
}
