import { closeSync, copyFileSync, openSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type SpawnPlan, spawnAgent } from '../../src/run/process/spawn-agent.js';
import { temporaryDirectory } from '../fake-agent/play.js';

function plan(file: string, facts: Partial<SpawnPlan> = {}): SpawnPlan {
  return { file, args: [], cwd: temporaryDirectory(), env: {}, stdin: 'ignore', stderr: 'ignore', ...facts };
}

/** A program of its own, which a test may hold open for writing. */
function copyOfTrue(): string {
  const file = path.join(temporaryDirectory(), 'program');
  copyFileSync('/bin/true', file);
  return file;
}

describe.skipIf(process.platform === 'win32')('spawning', () => {
  it('LL-31 has no terminal, and a group of its own', async () => {
    const { child } = await spawnAgent(
      plan('/bin/sh', { args: ['-c', 'test ! -t 1 && ps -o pgid= -p $$ | tr -d " "'] }),
    );
    const [output] = (await child?.stdout?.take(1).toArray()) ?? [];
    expect(String(output).trim()).toBe(String(child?.pid));
  });

  it.each([
    ['a missing directory', plan('/bin/true', { cwd: '/nowhere' }), { what: 'cwd', code: 'ENOENT' }],
    ['a missing program', plan('/nowhere/program'), { what: 'program', code: 'ENOENT' }],
    ['a file that may not be run', plan(import.meta.filename), { what: 'program', code: 'EACCES' }],
    ['too long arguments', plan('/bin/true', { args: ['x'.repeat(3_000_000)] }), { what: 'system', code: 'E2BIG' }],
  ])('S2-16 LL-20 tells %s', async (_, wanted, failure) => {
    expect(await spawnAgent(wanted)).toEqual({ failure });
  });

  it.runIf(process.platform === 'linux')('LL-28 waits for a program that is just being written', async () => {
    const file = copyOfTrue();
    const written = openSync(file, 'r+');
    const spawning = spawnAgent(plan(file));
    setTimeout(() => closeSync(written), 10);
    const { child } = await spawning;
    expect(child?.pid).toBeGreaterThan(0);
  });

  it.runIf(process.platform === 'linux')('LL-28 but not for ever', async () => {
    const file = copyOfTrue();
    const written = openSync(file, 'r+');
    expect(await spawnAgent(plan(file))).toMatchObject({ failure: { code: 'ETXTBSY' } });
    closeSync(written);
  });
});
