/** Whoever is inside a run is known as such, however it was started. The built package is asked, in a process of its own. */
import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findInsiders, isOfRun, runAround } from '../../src/run/index.js';
import { markOf } from '../../src/run/process/process-mark.js';
import { setMark } from '../../src/run/process/set-mark.js';

const ASK = `import(${JSON.stringify(path.resolve('dist/run.js'))}).then((glassbox) => glassbox.runAround()).then(console.log)`;
const node = `'${process.execPath}' -e '${ASK.replaceAll("'", "'\\''")}'`;
const outside = { PATH: process.env.PATH ?? '' };

async function shell(command: string, env: Record<string, string> = outside): Promise<string> {
  return (await promisify(execFile)('sh', ['-c', command], { env })).stdout.trim();
}

describe.runIf(process.platform === 'linux')('the run around a process', () => {
  it('is none for who was started by nobody', async () => {
    expect(await runAround()).toBeUndefined();
    expect(await shell(node)).toBe('undefined');
  });

  it('is told by its own variable, the innermost run first', async () => {
    expect(await shell(node, { ...outside, GLASSBOX_RUN_ID: 'outer/inner' })).toBe('inner');
  });

  it('is told by an ancestor, when the process has cleaned its own environment', async () => {
    expect(
      await shell(`env -i PATH="$PATH" sh -c "$1"; true`.replace('"$1"', `"${node.replaceAll('"', '\\"')}"`), {
        ...outside,
        GLASSBOX_RUN_ID: 'r1',
      }),
    ).toBe('r1');
  });

  it('is told by the mark, when nobody above is left', async () => {
    const parent = spawn('sh', ['-c', 'read go; env -i PATH="$PATH" setsid sh -c "echo \\$\\$; exec sleep 600" &'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    await setMark(parent.pid ?? 0, 'r1');
    parent.stdin.write('\n');
    const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
    const found = (await findInsiders()).get(pid);
    process.kill(pid, 'SIGKILL');
    expect(found).toBe(markOf('r1'));
    expect(isOfRun(found ?? '', 'r1')).toBe(true);
    expect(isOfRun(found ?? '', 'r2')).toBe(false);
    expect((await findInsiders()).has(process.pid)).toBe(false);
  });
});
