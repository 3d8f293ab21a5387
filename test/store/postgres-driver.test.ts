/** Who names a store on Postgres without the package that speaks to it is told what to type. */
import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../fake-agent/play.js';

test('without pg it is said what is missing, and how to install it', () => {
  const folder = temporaryDirectory();
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  cpSync('dist', path.join(folder, 'dist'), {
    recursive: true,
    filter: (file) => !/\.map$|(^|[\\/])(types|web)$/.test(file),
  });
  const words = [path.join(folder, 'dist', 'cli.js'), 'sessions', '--store', 'postgres://ann:secret@127.0.0.1:1/x'];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env: { PATH: process.env.PATH } });
  expect([status, stderr]).toEqual([expect.any(Number), expect.stringContaining('npm install pg')]);
  expect(status).not.toBe(0);
  expect(stderr).not.toMatch(/secret|\n {4}at /);
});
