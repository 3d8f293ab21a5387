import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { glassbox } from './glassbox.js';

test('S2-24 the smoke test holds here', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['smoke/smoke.mjs']);
  expect(stdout).toMatch(/all \d+ checks held/);
});

test.each(['smoke/linux.sh', 'smoke/macos.sh', 'smoke/windows.ps1'])('S2-24 %s runs it', (script) => {
  expect(readFileSync(script, 'utf8')).toContain('node smoke/smoke.mjs');
});

describe('S2-23 the playbook for a person with an account', () => {
  const playbook = readFileSync('smoke/PLAYBOOK.md', 'utf8');

  test('asks for an event before the exit, and for the completion after the last event', () => {
    expect(playbook).toContain('The first line comes before the program exits');
    expect(playbook).toContain('`glassbox run claude "Say hi" --json | tail -1` is a `run-end` event');
  });

  const lines = [...playbook.matchAll(/`[^`]*?\bglassbox ([a-z]+)\b([^`]*)`/g)];
  const commands = [...new Set(lines.map(([, command = '']) => command))];
  test.each(commands)('glassbox %s is there, with the flags that it names', async (command) => {
    const { stdout, status } = await glassbox([command, '--help-all']);
    const said = lines.filter(([, other]) => other === command).map(([, , rest = '']) => rest.split('|')[0] ?? '');
    const flags = said.flatMap((rest) => rest.replace(/"[^"]*"/g, '').match(/--[a-z-]+/g) ?? []);
    expect(status).toBe(0);
    expect(flags.filter((flag) => !stdout.includes(flag))).toEqual([]);
  });
});
