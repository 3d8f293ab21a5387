/**
 * Runs once around all tests: whatever they and the programs they start put into the temporary directory is gone afterwards,
 * and a program that outlives them is a failure.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { programsWith } from '../../scripts/left-behind.mjs';
import { PATIENCE_MS } from './patience.js';

/** The last ones may still be on their way out, which takes a busy machine a while. */
const LOOK_MS = 100;
const GRACE_LOOKS = PATIENCE_MS / LOOK_MS;

export default function setup(): () => Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'glassbox-test-'));
  for (const name of process.platform === 'win32' ? ['TEMP', 'TMP'] : ['TMPDIR']) process.env[name] = directory;
  // No test may write into the sessions of the person who runs it.
  process.env.GLASSBOX_STORE = path.join(directory, 'store.db');
  return async () => {
    const left = await leftBehind(directory);
    rmSync(directory, { recursive: true, force: true });
    if (left.length === 0) return;
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    console.error(`Tests left programs behind, which were killed now:\n${left.map(({ line }) => line).join('\n')}`);
    // An error of a teardown is printed, and forgotten.
    process.exitCode = 1;
    process.env.GLASSBOX_LEFT_BEHIND = 'no program is left behind';
  };
}

async function leftBehind(directory: string): Promise<{ pid: number; line: string }[]> {
  for (let look = 1; ; look += 1) {
    const left = programsWith(directory);
    if (left.length === 0 || look === GRACE_LOOKS) return left;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
