/** What commands that print once do when their output is gone or full. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { CLI, glassbox, recording, start } from './glassbox.js';

const commands = ['sessions', 'search look', 'cost', 'sessions --json', 'search look --json', 'cost --json', 'doctor'];
const HOME = mkdtempSync(path.join(tmpdir(), 'glassbox-cli-'));
const GLASSBOX_STORE = path.join(HOME, 'store.db');

// Something to print.
beforeAll(async () => {
  const { stdout } = await glassbox([], readFileSync(recording('multi-block')), { GLASSBOX_STORE });
  expect(stdout).toContain('look');
});

test.each([...commands, '--help'])('%s: a reader that goes away is no failure', async (command) => {
  const { child, ended } = start(command.split(' '), { GLASSBOX_STORE, HOME });
  child.stdout.destroy();
  const { stderr, status } = await ended;
  expect(stderr).not.toMatch(/EPIPE|at .*:\d+/);
  // Where no agent is installed, `doctor` says so with a status of its own.
  expect(command === 'doctor' ? [0, 127] : [0]).toContain(status);
});

test.runIf(existsSync('/dev/full')).each(commands)(
  '%s: a full disk (here /dev/full) is told in a sentence',
  (command) => {
    const { stderr, status } = spawnSync(process.execPath, [CLI, ...command.split(' ')], {
      env: { ...process.env, GLASSBOX_STORE, HOME },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      encoding: 'utf8',
    });
    expect(stderr).toContain('glassbox: The output could not be written (ENOSPC).');
    expect(status).toBe(3);
  },
);
