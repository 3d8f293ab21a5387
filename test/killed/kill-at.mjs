/**
 * Loaded before the command line (`--import`): counts what it is about to change, files and programs that it starts, and kills it at the step that
 * KILL_AT names, before that is done. KILL_COUNT is a file that gets how many there were.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const CHANGES = ['writeFile', 'rename', 'rm', 'rmdir', 'unlink', 'mkdir', 'mkdtemp', 'symlink', 'link', 'chmod'].concat(
  ['copyFile', 'cp', 'utimes', 'appendFile', 'truncate'],
);
const killAt = Number(process.env.KILL_AT ?? 0);
let steps = 0;

function step() {
  steps += 1;
  if (steps === killAt) process.kill(process.pid, 'SIGKILL');
}

/** Only the program itself, and not what it starts. */
if (isMainThread && /dist\/cli\.js$/.test(process.argv[1] ?? '')) {
  const wrap = (object, name) => {
    const original = object[name];
    if (typeof original !== 'function') return;
    object[name] = function (...args) {
      step();
      return original.apply(this, args);
    };
  };
  for (const name of CHANGES) {
    wrap(fs.promises, name);
    wrap(fs, `${name}Sync`);
  }
  wrap(childProcess, 'spawn');
  syncBuiltinESMExports();
  const count = process.env.KILL_COUNT;
  const { writeFileSync } = fs;
  if (count) process.on('exit', () => writeFileSync(count, String(steps)));
}
