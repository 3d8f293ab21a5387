/** What a card tells about files is asked of git, and nothing that an agent wrote into the repository is started for it. */
import { chmodSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { treeFacts } from '../../src/server/tree-facts.js';
import { git, makeRepository, ownOf, write } from '../checkpoint/repository.js';
import { temporaryDirectory } from '../fake-agent/play.js';

beforeEach(() => void vi.stubEnv('XDG_STATE_HOME', temporaryDirectory()));
afterEach(() => void vi.unstubAllEnvs());

test('tells what is in no commit and what git ignores, from the top of the repository', async () => {
  const top = makeRepository({
    'in/a.txt': 'a\n',
    'in/same.txt': 'same\n',
    'in/staged.txt': 's\n',
    '.gitignore': '*.log\n',
  });
  write(top, {
    'in/a.txt': 'b\n',
    'in/staged.txt': 't\n',
    'in/new é.txt': 'n\n',
    'in/x.log': 'x\n',
    'in/other.txt': 'o\n',
  });
  git(top, 'add', 'in/staged.txt');
  utimesSync(path.join(top, 'in/same.txt'), 1, 1);
  const asked = ['a.txt', 'same.txt', 'staged.txt', 'new é.txt', 'x.log', 'missing.txt'];
  const before = ownOf(top);
  expect(await treeFacts(path.join(top, 'in'), asked)).toEqual({
    uncommitted: ['in/a.txt', 'in/new é.txt', 'in/staged.txt'],
    ignored: ['in/x.log'],
  });
  expect(ownOf(top)).toEqual(before);
});

test.each([
  ['before the first commit everything is in none', { commit: false }, { uncommitted: ['a.txt'] }],
  ['a file that is as it was committed has nothing to tell', { commit: true }, {}],
])('%s', async (_, { commit }, told) => {
  const top = commit ? makeRepository({ 'a.txt': 'a\n' }) : temporaryDirectory();
  if (!commit) {
    git(top, 'init', '-q');
    write(top, { 'a.txt': 'a\n' });
    git(top, 'add', 'a.txt');
  }
  expect(await treeFacts(top, ['a.txt'])).toEqual(told);
});

test('tells nothing of a folder without git, of one that is gone, and of files elsewhere', async () => {
  expect(await treeFacts(temporaryDirectory(), ['a.txt'])).toEqual({});
  expect(await treeFacts('/nonexistent', ['a.txt'])).toEqual({});
  expect(await treeFacts(makeRepository(), ['/etc/hostname'])).toEqual({});
});

test('no program of the settings, attributes or hooks of a repository is started for a question', async () => {
  const top = makeRepository({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n' });
  const outside = temporaryDirectory();
  const trap = path.join(outside, 'trap');
  const sprung = path.join(outside, 'sprung');
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${sprung}\ncat\n`);
  chmodSync(trap, 0o755);
  for (const [name, value] of Object.entries({
    'filter.trap.clean': trap,
    'filter.trap.smudge': trap,
    'filter.trap.process': trap,
    'core.fsmonitor': trap,
    'core.hooksPath': path.join(top, 'hooks'),
    'diff.external': trap,
    'diff.trap.textconv': trap,
    'diff.trap.command': trap,
    'core.pager': trap,
    'core.editor': trap,
    'alias.status': `!${trap}`,
  }))
    git(top, 'config', name, value);
  mkdirSync(path.join(top, 'hooks'));
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction']) {
    writeFileSync(path.join(top, 'hooks', hook), `#!/bin/sh\n${trap}\n`);
    chmodSync(path.join(top, 'hooks', hook), 0o755);
  }
  write(top, { '.gitattributes': '* filter=trap diff=trap\n', 'a.txt': 'A\n', 'sub/b.txt': 'B\n' });
  expect((await treeFacts(top, ['a.txt', 'sub/b.txt'])).uncommitted).toEqual(['a.txt', 'sub/b.txt']);
  expect(existsSync(sprung)).toBe(false);
});
