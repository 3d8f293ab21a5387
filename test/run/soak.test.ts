import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { answer } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';

const linux = process.platform === 'linux';
if (!linux) console.log('soak: descriptors and processes are counted in /proc, which is only on Linux; left out');

describe.runIf(linux)('soak', () => {
  it('200 runs in a row and 50 at once leave no process, descriptor or listener, and no memory', async () => {
    const stateDir = temporaryDirectory();
    const env = { ...process.env, GLASSBOX_STATE_DIR: stateDir, FAKE_AGENT_SCRIPT: JSON.stringify(answer('x')) };
    const soak = path.resolve(import.meta.dirname, '../fake-agent/soak.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', soak, FAKE_AGENT, '200', '50'], {
      env,
    });
    const { before, afterRow, afterAll, reasons, survivors } = JSON.parse(stdout);
    console.log(`soak: ${stdout.trim()}`);
    expect(reasons).toEqual({ finished: 270 });
    expect(survivors).toBe(0);
    for (const after of [afterRow, afterAll]) {
      expect(after.files).toBeLessThanOrEqual(before.files);
      expect(after.listeners).toBe(before.listeners);
      expect(after.resources).toBeLessThanOrEqual(before.resources);
    }
    expect(afterRow.heap - before.heap).toBeLessThan(2_000_000);
    expect(readdirSync(path.join(stateDir, 'runs'))).toEqual([]);
  }, 300_000);
});
