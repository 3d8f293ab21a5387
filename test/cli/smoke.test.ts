import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('S2-24 the smoke test holds here', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['smoke/smoke.mjs']);
  expect(stdout).toMatch(/all \d+ checks held/);
}, 120_000);

test.each(['smoke/linux.sh', 'smoke/macos.sh', 'smoke/windows.ps1'])('S2-24 %s runs it', (script) => {
  expect(readFileSync(script, 'utf8')).toContain('node smoke/smoke.mjs');
});

test('S2-23 a person with an account finds the playbook', () => {
  expect(existsSync('smoke/PLAYBOOK.md')).toBe(true);
});
