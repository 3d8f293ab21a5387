/** Going back: what is shown, what is left alone, parts of files, and a process that is killed in the middle of it. */
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Checkpoint,
  findTurns,
  finishRewinds,
  forgetSessions,
  hunksOf,
  planRewind,
  rewind,
  undoRewind,
} from '../../src/checkpoint/index.js';
import { writeRecord } from '../../src/checkpoint/record.js';
import { writeEntry } from '../../src/checkpoint/rewind-record.js';
import { environment } from '../cli/fake-run.js';
import { glassbox, start } from '../cli/glassbox.js';
import { init, result } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';
import { played } from './played.js';
import { filesOf, git, makeRepository, ownOf, write } from './repository.js';

const about = { session: 's', to: 'turn' };

describe('a plan', () => {
  test('shows every file that changes, and marks what somebody else changed', async () => {
    const root = makeRepository({ f: 'one\ntwo\n', gone: 'g\n', mine: 'm\n', pic: '\0a' });
    const { plan } = await played(root, () => {
      write(root, { f: 'ONE\ntwo\n', made: 'x\n', pic: '\0b', mine: 'agent\n' });
      rmSync(path.join(root, 'gone'));
    });
    write(root, { mine: 'agent\nand me\n', 'only-mine': 'o\n' });
    const { files, left, turn, before, top } = await plan(0);
    expect({ left, turn, before, top }).toEqual({ left: [], turn: 0, before: false, top: root });
    expect(files).toEqual([
      { path: 'f', change: 'changed', lines: { added: 1, removed: 1 } },
      { path: 'gone', change: 'restored', lines: { added: 1, removed: 0 } },
      { path: 'made', change: 'removed', lines: { added: 0, removed: 1 } },
      { path: 'mine', change: 'changed', lines: { added: 1, removed: 2 }, byOthers: true },
      { path: 'only-mine', change: 'removed', lines: { added: 0, removed: 1 }, byOthers: true },
      { path: 'pic', change: 'changed' },
    ]);
    expect(await plan(1)).toMatchObject({ files: [{ path: 'mine' }, { path: 'only-mine' }] });
  });

  test('says that HEAD moved, and that there is no such turn, or nothing kept of it', async () => {
    const root = makeRepository({ f: '1' });
    const { plan, turns, dir } = await played(root, () => write(root, { f: '2' }));
    git(root, 'commit', '-qam', 'by the agent');
    const head = turns[0]?.after?.head;
    expect(await plan(1)).toMatchObject({ movedHead: head, files: [] });
    await expect(plan(2)).rejects.toThrow('There is no turn 2: the session has one turn.');
    const failed = [
      { ...turns[0], turn: 1, runId: 'r', after: { turn: 1, moment: 'after' as const, at: 1, failed: 'disk full' } },
    ];
    await expect(planRewind(failed, { turn: 1 }, dir)).rejects.toThrow('not kept after turn 1: disk full');
    await expect(planRewind([{ turn: 1, runId: 'r' }], { turn: 1 }, dir)).rejects.toThrow('not kept on this machine');
  });

  test('turns are counted over the runs of a session', async () => {
    const dir = temporaryDirectory();
    const at = (turn: number, moment: Checkpoint['moment']) => ({ turn, moment, at: 1, commit: `${turn}${moment}` });
    await writeRecord(dir, {
      runId: 'one',
      top: '/a',
      kind: 'git',
      checkpoints: [at(1, 'before'), at(1, 'after'), at(2, 'after')],
    });
    await writeRecord(dir, { runId: 'three', top: '/a', kind: 'git', checkpoints: [at(1, 'before'), at(1, 'after')] });
    const runs = [
      { runId: 'one', turns: 2 },
      { runId: 'two', turns: 3 },
      { runId: 'three', turns: 1 },
    ];
    const turns = await findTurns(runs, dir);
    expect(turns.map(({ turn, runId, after }) => [turn, runId, after?.commit])).toEqual([
      [1, 'one', '1after'],
      [2, 'one', '2after'],
      [3, 'two', undefined],
      [4, 'two', undefined],
      [5, 'two', undefined],
      [6, 'three', '1after'],
    ]);
  });
});

describe('a rewind', () => {
  test('of single files and of single hunks leaves the rest as it is, to the byte', async () => {
    const lines = (...changed: number[]) =>
      [...Array(30).keys()].map((n) => `${changed.includes(n) ? 'new' : 'old'} ${n} \xff\r\n`).join('');
    const root = makeRepository({ f: Buffer.from(lines(), 'latin1'), g: '1', h: 'no end' });
    const { plan, dir } = await played(root, () =>
      write(root, { f: Buffer.from(`${lines(2, 15, 28)}more`, 'latin1'), g: '2', h: 'no end\nnow' }),
    );
    const shown = await plan(0);
    expect(await hunksOf(shown, 'f')).toHaveLength(3);
    expect(await rewind(shown, about, { paths: ['g'] }, dir)).toMatchObject({ files: 1, left: [] });
    expect(readFileSync(path.join(root, 'g'), 'utf8')).toBe('1');
    expect(await rewind(await plan(0), about, { hunks: { f: [0, 2] } }, dir)).toMatchObject({ files: 1, left: [] });
    expect(readFileSync(path.join(root, 'f'), 'latin1')).toBe(lines(15));
    await rewind(await plan(0), about, { hunks: { h: [0] } }, dir);
    expect(readFileSync(path.join(root, 'h'), 'utf8')).toBe('no end');
    await expect(rewind(await plan(0), about, { hunks: { f: [7] } }, dir)).rejects.toThrow('f has 1 hunks');
    await expect(rewind(await plan(0), about, { paths: ['g'] }, dir)).rejects.toThrow('g is not among the files');
  });

  test('never writes over what it could not give back: ignored files, links out, what came meanwhile', async () => {
    const root = makeRepository({ 'later-ignored': 'kept once\n', 'd/f': 'in folder\n', e: 'e\n' });
    const outside = temporaryDirectory();
    write(outside, { f: 'not ours\n' });
    const { plan, dir } = await played(root, () => {
      git(root, 'rm', '-q', '--cached', 'later-ignored');
      rmSync(path.join(root, 'later-ignored'));
      rmSync(path.join(root, 'd'), { recursive: true });
      write(root, { e: 'changed\n' });
    });
    const shown = await plan(0);
    write(root, {
      '.git/info/exclude': 'later-ignored\n',
      'later-ignored': 'mine, ignored\n',
      e: 'changed meanwhile\n',
    });
    const { symlinkSync } = await import('node:fs');
    symlinkSync(outside, path.join(root, 'd'));
    const { left } = await rewind(shown, about, {}, dir);
    expect(left.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'd/f', why: 'changed-meanwhile' },
      { path: 'e', why: 'changed-meanwhile' },
      { path: 'later-ignored', why: 'not-kept' },
    ]);
    expect(readFileSync(path.join(root, 'later-ignored'), 'utf8')).toBe('mine, ignored\n');
    expect(readFileSync(path.join(root, 'e'), 'utf8')).toBe('changed meanwhile\n');
    expect(readFileSync(path.join(outside, 'f'), 'utf8')).toBe('not ours\n');
  });

  test('keeps who may read a file, and goes with its session', async () => {
    const root = makeRepository({ secret: 'a\n' });
    chmodSync(path.join(root, 'secret'), 0o600);
    const { plan, dir } = await played(root, () => write(root, { secret: 'b\n' }));
    await rewind(await plan(0), about, {}, dir);
    expect(statSync(path.join(root, 'secret')).mode & 0o777).toBe(0o600);
    expect(git(root, 'for-each-ref', 'refs/glassbox').split('\n')).toHaveLength(5);
    await forgetSessions([{ id: 's', runs: [] }], dir);
    expect(git(root, 'for-each-ref', 'refs/glassbox').split('\n')).toHaveLength(3);
    expect(await undoRewind('s', dir)).toBeUndefined();
  });

  test('that is taken back leaves what was changed after it', async () => {
    const root = makeRepository({ f: '1', g: '1' });
    const { plan, dir } = await played(root, () => write(root, { f: '2', g: '2' }));
    await rewind(await plan(0), about, {}, dir);
    write(root, { g: 'after the rewind' });
    expect(await undoRewind('s', dir)).toMatchObject({ files: 1, left: [{ path: 'g', why: 'changed-meanwhile' }] });
    expect(filesOf(root)).toEqual({ f: '- 2', g: '- after the rewind' });
    expect(await undoRewind('s', dir)).toBeUndefined();
  });
});

test('what a killed process began is finished once, but for what somebody changed since', async () => {
  const root = makeRepository({ a: '1', b: '1', c: '1' });
  const { turns, dir, workTree } = await played(root, () => write(root, { a: '2', b: '2', c: '2', made: 'm' }));
  const [before = '', after = ''] = [turns[0]?.after?.commit, turns[0]?.before?.commit];
  const owner = { pid: 2 ** 22 + 1, startTime: 'long ago' };
  await writeEntry(dir, {
    id: 'cut',
    session: 's',
    top: workTree.top,
    at: 1,
    to: 'turn',
    before,
    after,
    state: 'begun',
    owner,
  });
  write(root, { a: '1', b: 'somebody', '.glassbox-cut-c': 'half' });
  expect(await finishRewinds(dir)).toMatchObject([
    { entry: { id: 'cut' }, left: [{ path: 'b', why: 'changed-meanwhile' }] },
  ]);
  expect(filesOf(root)).toEqual({ a: '- 1', b: '- somebody', c: '- 1' });
  expect(await finishRewinds(dir)).toEqual([]);
  expect(await undoRewind('s', dir)).toMatchObject({ files: 3 });
  expect(filesOf(root)).toEqual({ a: '- 2', b: '- somebody', c: '- 2', made: '- m' });
});

test('glassbox rewind: lists, shows, asks, does, takes back; killed in the middle the next command finishes it', async () => {
  const names = [...Array(400).keys()].map((n) => `file-${n}.txt`);
  const root = makeRepository(Object.fromEntries(names.map((name) => [name, 'old\n'])));
  const gate = path.join(temporaryDirectory(), 'gate');
  const changed = Object.fromEntries(names.map((name) => [name, 'new\n']));
  const env = environment([init(), { file: gate }, { files: { ...changed, 'new.txt': 'n' } }, result('ok')]);
  const run = start(
    ['run', 'claude', 'Change everything', '--program', FAKE_AGENT, '--cwd', root, '--permission', 'deny'],
    env,
  );
  await expect.poll(() => git(root, 'for-each-ref', 'refs/glassbox')).not.toBe('');
  writeFileSync(gate, '');
  expect(await run.ended).toMatchObject({ status: 0 });
  const own = { ...ownOf(root), status: '' };
  const { stdout: id } = await glassbox(['sessions', '--json'], '', env);
  const session: string = JSON.parse(id).id;

  const list = await glassbox(['rewind', session], '', env);
  expect(list.stdout).toMatch(/^ +1 .* 401 files \+401 -400 +Change everything$/m);
  const dry = await glassbox(['rewind', `${session}@0`, 'file-1.txt', '--dry-run'], '', env);
  expect(dry.stdout).toMatch(
    /changes +file-1\.txt \+1 -1\n\nfile-1\.txt\n@@ .*\n-new\n\+old\n\nNothing was changed\.\n$/,
  );
  expect(await glassbox(['rewind', `${session}@0`], '', env)).toMatchObject({ status: 2 });
  expect(await glassbox(['rewind', `${session}@0`, 'none'], '', env)).toMatchObject({ status: 3 });

  const old = () => names.filter((name) => readFileSync(path.join(root, name), 'utf8') === 'old\n').length;
  for (const least of [1, 150]) {
    const { child, ended } = start(['rewind', `${session}@0`, '--yes'], env);
    while (old() < least && child.exitCode === null) await new Promise(setImmediate);
    child.kill('SIGKILL');
    await ended;
    const next = await glassbox(['ps'], '', env);
    if (child.signalCode === 'SIGKILL')
      expect(next.stderr).toMatch(
        new RegExp(`finished a rewind of ${session} to before turn 1 .* which was cut off\\.`),
      );
    expect([old(), readdirSync(root).filter((name) => name.startsWith('.glassbox') || name === 'new.txt')]).toEqual([
      400,
      [],
    ]);
    const undone = await glassbox(['rewind', session, '--undo', '--yes'], '', env);
    expect(undone.stdout).toBe('Took 401 files back.\n');
    expect([old(), readdirSync(root).includes('new.txt')]).toEqual([0, true]);
  }
  expect({ ...ownOf(root), status: '' }).toEqual(own);
});
