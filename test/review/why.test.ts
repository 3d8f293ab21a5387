/** Who made a line, asked of real files, a real git and a kept session. */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findTurns, planRewind, type RewindFile, rewind, undoRewind } from '../../src/checkpoint/index.js';
import { markEditsOfOthers, whyLine } from '../../src/review/index.js';
import type { SessionRecord } from '../../src/store/index.js';
import { git, makeRepository, write } from '../checkpoint/repository.js';
import { type Step, text, toolResult, toolUse } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { emptyStore, playSession } from './played-session.js';

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

test('a line of an edit is told with its session, prompt, words, approval and price; others by what is proved', async () => {
  const root = realpathSync(makeRepository({ 'src/a.ts': lines('first line', 'second line', 'third line') }));
  const file = path.join(root, 'src/a.ts');
  const { store, session } = await playSession(root, [
    [
      text('The second line is wrong, so I change it.', 'm1'),
      toolUse('t1', 'Edit', { file_path: file, old_string: 'second line', new_string: 'better line' }),
      { files: { 'src/a.ts': lines('first line', 'better line', 'third line') } },
      toolResult('t1', 'ok'),
      toolUse('t2', 'Bash', { command: 'make things' }),
      { files: { 'src/a.ts': lines('first line', 'better line', 'third line', 'made by a command') } },
      toolResult('t2', 'ok'),
    ],
    {
      between: () =>
        write(root, { 'src/a.ts': lines('first line', 'better line', 'third line, by me', 'made by a command') }),
    },
  ]);
  const why = (line: number) => whyLine(store, { file, line });
  expect(await why(2)).toMatchObject({
    path: 'src/a.ts',
    text: 'better line',
    maker: {
      by: 'call',
      call: {
        session: session.id,
        turn: 1,
        toolId: 't1',
        tool: 'Edit',
        allowed: { how: 'unasked', permission: 'bypass' },
      },
    },
    earlier: { by: 'older' },
    call: {
      session: session.id,
      agent: 'claude',
      prompt: 'go on 1',
      said: 'The second line is wrong, so I change it.',
      cost: { usd: 0.01 },
    },
  });
  const head = git(root, 'rev-parse', 'HEAD').trim();
  expect(await why(1)).toMatchObject({ maker: { by: 'older' }, commit: { id: head, subject: 'first', author: 'A' } });
  expect(await why(3)).toMatchObject({ maker: { by: 'outside', after: { turn: 1 } }, earlier: { by: 'older' } });
  expect(await why(4)).toMatchObject({
    maker: { by: 'unknown', why: 'untold', turns: [{ session: session.id, turn: 1 }], commands: ['make things'] },
  });
  await expect(why(5)).rejects.toThrow('src/a.ts has 4 lines; there is no line 5.');
});

test('it follows a file under its earlier name, through two sessions and a commit, and a line that somebody changed after all', async () => {
  const root = realpathSync(makeRepository({ 'old.ts': lines('one', 'two', 'three', 'four') }));
  const edit = (id: string, name: string, from: string, to: string, whole: string) => [
    toolUse(id, 'Edit', { file_path: path.join(root, name), old_string: from, new_string: to }),
    { files: { [name]: whole } },
    toolResult(id, 'ok'),
  ];
  const first = await playSession(root, [
    edit('t1', 'old.ts', 'two', 'two by the first', lines('one', 'two by the first', 'three', 'four')),
  ]);
  git(root, 'mv', 'old.ts', 'new.ts');
  git(root, 'commit', '-qam', 'moved');
  const whole = lines('one', 'two by the first', 'three by the second', 'four');
  const second = await playSession(root, [edit('t1', 'new.ts', 'three', 'three by the second', whole)], first.store);
  const file = path.join(root, 'new.ts');
  const why = (line: number) => whyLine(first.store, { file, line });
  expect(await why(2)).toMatchObject({
    maker: { by: 'call', call: { session: first.session.id } },
    commit: { subject: 'moved' },
  });
  const made = await why(3);
  expect(made).toMatchObject({ maker: { by: 'call', call: { session: second.session.id } } });
  expect(made).not.toHaveProperty('commit');
  write(root, { 'new.ts': lines('one', 'mine', 'three by the second', 'four') });
  expect(await why(2)).toMatchObject({
    maker: { by: 'outside', after: { turn: 2 } },
    earlier: { by: 'call', call: { session: first.session.id } },
  });
});

test('what cannot be told is said, with the reason', async () => {
  const store = await emptyStore();
  const root = realpathSync(makeRepository({ 'a.txt': 'a\n', '.gitignore': 'out\n', bin: new Uint8Array([0, 1, 2]) }));
  write(root, { out: 'x\n', loose: 'y\n' });
  const why = (name: string, line = 1) => whyLine(store, { file: path.join(root, name), line });
  // Of a folder without a kept file nothing is older: an agent of which no files are kept may have made it just now.
  const maker = { by: 'unknown', why: 'none-kept', turns: [], commands: [] };
  expect(await why('a.txt')).toMatchObject({ maker, commit: { subject: 'first' } });
  expect(await why('loose')).toEqual({ path: 'loose', line: 1, text: 'y', maker });
  await expect(why('nothing')).rejects.toThrow('could not be read');
});

test('what a rewind put back is told as that, also when the rewind is taken back', async () => {
  const root = realpathSync(makeRepository({ 'a.ts': lines('first line', 'second line') }));
  const file = path.join(root, 'a.ts');
  const { store, session } = await playSession(root, [
    [
      toolUse('t1', 'Edit', { file_path: file, old_string: 'second line', new_string: 'better line' }),
      { files: { 'a.ts': lines('first line', 'better line') } },
      toolResult('t1', 'ok'),
    ],
  ]);
  const why = (line: number) => whyLine(store, { file, line });
  const plan = await planRewind(await findTurns(session.runs), { turn: 1, before: true });
  await rewind(plan, { session: session.id, to: 'before turn 1' });
  expect(await why(2)).toMatchObject({
    text: 'second line',
    maker: { by: 'rewind', rewind: { session: session.id, to: 'before turn 1' } },
    earlier: { by: 'call', call: { toolId: 't1' } },
  });
  expect(await why(1)).toMatchObject({ maker: { by: 'older' } });
  write(root, { 'a.ts': lines('mine', 'second line') });
  expect(await why(1)).toMatchObject({ maker: { by: 'outside' } });
  write(root, { 'a.ts': lines('first line', 'second line') });
  await undoRewind(session.id);
  expect(await why(2)).toMatchObject({ maker: { by: 'rewind', rewind: { to: 'before the rewind to before turn 1' } } });
});

test('a rewind names what another session edited at the same time', async () => {
  const root = realpathSync(makeRepository({ 'a.ts': lines('a'), 'b.ts': lines('b') }));
  const gate = path.join(temporaryDirectory(), 'gate');
  const edit = (name: string, from: string): Step[] => [
    toolUse('t1', 'Edit', { file_path: path.join(root, name), old_string: from, new_string: `${from}!` }),
    { files: { [name]: lines(`${from}!`) } },
    toolResult('t1', 'ok'),
  ];
  const store = await emptyStore();
  const playing = playSession(root, [[...edit('a.ts', 'a'), { file: gate }]], store);
  await expect.poll(() => readFileSync(path.join(root, 'a.ts'), 'utf8')).toBe(lines('a!'));
  const other = await playSession(root, [edit('b.ts', 'b')], store, 'f0000000-0000-4000-8000-000000000000');
  writeFileSync(gate, '');
  const { session } = await playing;
  expect(session.id).not.toBe(other.session.id);
  const plan = async ({ id, runs }: SessionRecord) =>
    (await markEditsOfOthers(store, id, await planRewind(await findTurns(runs), { turn: 0 }))).files;
  const ofOthers = (files: readonly RewindFile[]) => files.map(({ path: name, byOthers }) => [name, byOthers ?? false]);
  expect(ofOthers(await plan(session))).toEqual([
    ['a.ts', false],
    ['b.ts', true],
  ]);
  // Of this one nothing else was changed since it began.
  expect(ofOthers(await plan(other.session))).toEqual([['b.ts', false]]);
});
