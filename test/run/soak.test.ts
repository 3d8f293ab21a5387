import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { answer } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';

const linux = process.platform === 'linux';
if (!linux) console.log('soak: descriptors and processes are counted in /proc, which is only on Linux; left out');

describe.runIf(linux)('soak', () => {
  it('60 runs in a row and 24 at once leave no process, descriptor or listener, and no memory', async () => {
    const stateDir = temporaryDirectory();
    const env = { ...process.env, GLASSBOX_STATE_DIR: stateDir };
    const soak = path.resolve(import.meta.dirname, '../fake-agent/soak.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', soak, agentInShell(), '60', '24'], {
      env,
    });
    const { before, afterRow, afterAll, reasons, survivors } = JSON.parse(stdout);
    console.log(`soak: ${stdout.trim()}`);
    expect(reasons).toEqual({ finished: 104 });
    expect(survivors).toBe(0);
    for (const after of [afterRow, afterAll]) {
      expect(after.files).toBeLessThanOrEqual(before.files);
      expect(after.listeners).toBe(before.listeners);
      expect(after.resources).toBeLessThanOrEqual(before.resources);
    }
    expect(afterRow.heap - before.heap).toBeLessThan(600_000);
    expect(readdirSync(path.join(stateDir, 'runs'))).toEqual([]);
  }, 900_000);
});

/** So many starts of Node would take longer than everything that is looked at here. */
function agentInShell(): string {
  const folder = temporaryDirectory();
  const [lines, program] = [path.join(folder, 'lines'), path.join(folder, 'agent')];
  writeFileSync(
    lines,
    answer('x')
      .map((step) => `${JSON.stringify(step.say)}\n`)
      .join(''),
  );
  writeFileSync(program, `#!/bin/sh\nexec cat '${lines}'\n`);
  chmodSync(program, 0o755);
  return program;
}
