/**
 * Puts the terminal back when glassbox is killed and cannot do it itself (SIGKILL, out of memory): a small shell of a session of its own waits for the
 * end of a pipe that only glassbox holds. Where it was told that all is well it says nothing. Without a shell nobody does it.
 */
import { spawn } from 'node:child_process';

/** `leave`: the sequences that undo what was done to the terminal; how keys are treated is undone too. */
export function guardScreen(process: NodeJS.Process, leave: string): Disposable {
  const { stdout, stderr, platform } = process;
  const fd = [stdout, stderr].find(({ isTTY }) => isTTY)?.fd;
  if (platform === 'win32' || fd === undefined) return { [Symbol.dispose]() {} };
  const guard = spawn('/bin/sh', ['-c', WAIT, leave], {
    stdio: ['pipe', fd, 'ignore'],
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    // What is sent to the terminal's programs is not for it.
    detached: true,
  });
  guard.on('error', () => {});
  guard.stdin?.on('error', () => {});
  guard.unref();
  (guard.stdin as { unref?(): void } | null)?.unref?.();
  return {
    [Symbol.dispose]() {
      guard.stdin?.end('well\n');
    },
  };
}

/** The settings are those that raw mode changes; a shell of the person sets them by itself, a script does not. */
const WAIT = `read -r well || { stty brkint icrnl ixon echo icanon iexten isig <&1; printf %s "$0"; }`;
