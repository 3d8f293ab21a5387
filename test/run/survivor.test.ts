import { spawn } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { watchFamily } from '../../src/run/process/family-watch.js';
import { markOf, parseMark } from '../../src/run/process/process-mark.js';
import {
  type ProcessRow,
  parsePs,
  parseStat,
  readNewProcesses,
  readProcess,
  readProcessTable,
} from '../../src/run/process/process-table.js';
import { reapOrphans, recordRun, stateDirectory } from '../../src/run/process/reaper.js';
import { setMark } from '../../src/run/process/set-mark.js';
import { selectSurvivors } from '../../src/run/process/survivor.js';
import { temporaryDirectory } from '../fake-agent/play.js';

describe('the process table', () => {
  it('reads /proc/PID/stat, also with brackets in the name', () => {
    const fields = '42 7 42 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 98765 1000 200';
    expect(parseStat(9, `9 (a) b (c) S ${fields}`)).toEqual({
      pid: 9,
      parent: 42,
      group: 7,
      startTime: '98765',
      name: 'a) b (c',
      runIds: [],
    });
    expect(parseStat(9, `9 (gone) Z ${fields}`)).toBeUndefined();
    expect(parseStat(9, 'nonsense')).toBeUndefined();
  });

  it('S2-19 reads what ps prints on macOS', () => {
    const output = [
      '    1     0     1 Ss   Mon Nov 16 02:12:03 2026',
      '  501   500   500 S+   Mon Nov  6 02:20:59 2026     /bin/a program  ',
      '  502   501   500 Z    Mon Nov 16 02:21:00 2026',
      'garbage',
    ].join('\n');
    expect(parsePs(output)).toEqual([
      { pid: 1, parent: 0, group: 1, startTime: 'Mon Nov 16 02:12:03 2026', name: '', runIds: [] },
      { pid: 501, parent: 500, group: 500, startTime: 'Mon Nov  6 02:20:59 2026', name: 'a program', runIds: [] },
    ]);
  });

  it.skipIf(process.platform === 'win32')('finds this very process, the same in both ways', async () => {
    const row = await readProcess(process.pid);
    expect(row?.parent).toBe(process.ppid);
    expect(await readProcessTable()).toContainEqual(row);
  });
});

describe('who belongs to a run', () => {
  const row = (pid: number, facts: Partial<ProcessRow> = {}): ProcessRow => ({
    pid,
    parent: 1,
    group: pid,
    startTime: '100',
    name: 'x',
    runIds: [],
    ...facts,
  });
  const leader = { pid: 10, startTime: '100' };

  it.each([
    ['the leader', row(10), true],
    ['one in its group', row(11, { group: 10 }), true],
    ['one that is marked, wherever it is', row(12, { runIds: ['r1'] }), true],
    ['one of a run inside the run', row(13, { runIds: ['r1', 'inner'] }), true],
    ['one that inherited the mark', row(17, { mark: markOf('r1') }), true],
    ['one with the mark of another run', row(18, { mark: markOf('r2') }), false],
    ['one that was known before', row(14), true],
    ['one that has taken the number of a known one', row(14, { startTime: '999' }), false],
    ['one of another run', row(15, { runIds: ['r2'] }), false],
    ['a stranger', row(16), false],
    ['this process', row(process.pid, { runIds: ['r1'] }), false],
  ])('%s: %s', (_, candidate, belongs) => {
    const known = [row(14)];
    expect(selectSurvivors([candidate], { runId: 'r1', leader, known })).toHaveLength(belongs ? 1 : 0);
  });

  it('not the group of a stranger who was given the number of the leader', () => {
    const table = [row(10, { startTime: '999' }), row(11, { group: 10 })];
    expect(selectSurvivors(table, { runId: 'r1', leader })).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('the mark', () => {
  it('is inherited, also by one that hides', async () => {
    const parent = spawn('sh', ['-c', 'read go; env -i setsid sh -c "echo \\$\\$; exec sleep 600" & wait'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    await setMark(parent.pid ?? 0, 'r1');
    parent.stdin.write('\n');
    const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
    expect(await readProcess(pid)).toMatchObject({ mark: markOf('r1') });
    expect((await readProcess(process.pid))?.mark).toBeUndefined();
    process.kill(pid, 'SIGKILL');
    await new Promise((resolve) => parent.once('exit', resolve));
  });

  it('is a number of its own for each run', () => {
    expect(markOf('r1')).toMatch(/^\d{13,16}$/);
    expect(Number.isSafeInteger(Number(markOf('r1')))).toBe(true);
    expect(markOf('r1')).not.toBe(markOf('r2'));
    expect(
      parseMark('Max file locks            unlimited            unlimited            locks     \n'),
    ).toBeUndefined();
    expect(
      parseMark('Max pending signals  1 2 signals\nMax file locks            42            unlimited   locks\n'),
    ).toBe('42');
  });
});

describe.runIf(process.platform === 'linux')('a look at the table', () => {
  it('remembers who hides later: a clean environment, another group, no parent any more', async () => {
    const parent = spawn('sh', ['-c', 'env -i setsid sh -c "echo \\$\\$; exec sleep 600" & read go'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    const hidden: number[][] = [];
    const family = watchFamily({ pid: parent.pid ?? 0, onHidden: (rows) => hidden.push(rows.map((row) => row.pid)) });
    const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
    await family.look();
    expect(hidden).toEqual([[pid]]);
    parent.stdin.end();
    await new Promise((resolve) => parent.once('exit', resolve));
    await family.look();
    expect((await readProcess(pid))?.parent).not.toBe(parent.pid);
    expect(family.known().map((row) => row.pid)).toEqual([pid]);
    process.kill(pid, 'SIGKILL');
    family.stop();
  });

  it('reads only who is new', async () => {
    const first = await readNewProcesses(new Map());
    expect(first.rows.map(({ pid }) => pid)).toContain(process.pid);
    const second = await readNewProcesses(first.present);
    expect(second.rows.map(({ pid }) => pid)).not.toContain(process.pid);
    expect(second.present.get(process.pid)).toBe(first.present.get(process.pid));
  });
});

describe('the reaper', () => {
  it('leaves the runs of living owners alone', async () => {
    const dir = path.join(temporaryDirectory(), 'runs');
    const mark = await recordRun(dir, 'mine');
    await mark.update({ directory: '/nowhere' });
    expect(await reapOrphans(dir)).toEqual({ runs: 0, processes: 0 });
    expect(await readdir(dir)).toEqual(['mine.json']);
    await mark.remove();
    expect(await readdir(dir)).toEqual([]);
  });

  it('LL-29 removes the record and the files of a dead one, and minds no rubbish', async () => {
    const dir = temporaryDirectory();
    const directory = path.join(temporaryDirectory(), 'files');
    await mkdir(directory);
    const record = { runId: 'gone', owner: { pid: 2 ** 22 + 1, startTime: '1' }, directory };
    await writeFile(path.join(dir, 'gone.json'), JSON.stringify(record));
    await writeFile(path.join(dir, 'rubbish.json'), '{"half":');
    await writeFile(path.join(dir, 'other.txt'), '');
    expect(await reapOrphans(dir)).toEqual({ runs: 1, processes: 0 });
    expect((await readdir(dir)).sort()).toEqual(['other.txt', 'rubbish.json']);
    await expect(readdir(directory)).rejects.toThrow();
    expect(await reapOrphans('/nowhere/at/all')).toEqual({ runs: 0, processes: 0 });
  });

  it.each([
    ['linux', {}, '/home/me/.local/state/glassbox'],
    ['linux', { XDG_STATE_HOME: '/x' }, '/x/glassbox'],
    ['linux', { XDG_STATE_HOME: 'relative' }, '/home/me/.local/state/glassbox'],
    ['linux', { GLASSBOX_STATE_DIR: '/mine' }, '/mine'],
    ['darwin', {}, '/home/me/Library/Application Support/glassbox'],
    ['win32', { LOCALAPPDATA: 'C:\\Local' }, 'C:\\Local\\glassbox'],
  ] as const)('S2-19 keeps its records on %s with %j in %s', (platform, env, expected) => {
    expect(stateDirectory(env, '/home/me', platform)).toBe(expected);
  });
});
