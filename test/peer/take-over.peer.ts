/** Real agents in work trees of their own, compared, forked from one to the other, and going on after a limit: by commands, as a person types them. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../checkpoint/repository.js';
import { claude } from './agent/claude.js';
import { codex } from './agent/codex.js';
import { atWork } from './command.js';
import { sequence } from './model/turn.js';
import { createStage, type ScriptOf, type Stage } from './stage.js';

const EDITS = ['--permission', 'accept-edits'];
const treesOf = (root: string) => git(root, 'worktree', 'list', '--porcelain').match(/^worktree /gm)?.length;

test.each([claude, codex])(
  'J 3 $agent: works in a tree of its own, goes on there, and the project is as it was',
  async (peer) => {
    await using stage = await createStage(peer, () =>
      sequence(peer.write('made.txt', 'made\n'), { text: 'Done.' }, { text: 'Still here.' }),
    );
    const { glassbox, session, status } = atWork(stage);
    const { cwd } = stage.sandbox;
    // It names files from where it is.
    const begun = await glassbox('run', peer.agent, 'Ask one', '--worktree', ...EDITS);
    expect(begun, begun.stderr + begun.stdout).toMatchObject({ status: 0 });
    const [, folder = '', branch = ''] = /what was done is in (\S+), on the branch (\S+)\./.exec(begun.stderr) ?? [];
    expect(begun.stderr).toContain('what was done is in');
    expect(readFileSync(path.join(folder, 'made.txt'), 'utf8')).toBe('made\n');
    expect([status(), treesOf(cwd)]).toEqual(['', 2]);
    const { id } = await session();
    const again = await glassbox('resume', id, 'Ask two');
    expect(again, again.stderr).toMatchObject({ status: 0 });
    const heard = JSON.stringify(stage.model.calls.at(-1));
    for (const said of ['Ask one', 'Ask two']) expect(heard).toContain(said);
    const name = branch.replace('glassbox/', '');
    expect(await glassbox('worktrees', name, '--remove', '--yes')).toMatchObject({ status: 0 });
    expect([treesOf(cwd), git(cwd, 'branch', '--list', 'glassbox/*')]).toEqual([1, '']);
  },
);

test('J 5 claude to codex: the other one has the files of that turn, and a brief', async () => {
  await using from = await createStage(claude, ({ file }) =>
    sequence(
      ...[claude.write(file('one.txt'), 'one\n'), { text: 'Wrote one.' }],
      ...[claude.write(file('two.txt'), 'two\n'), { text: 'Wrote two.' }],
    ),
  );
  await using to = await createStage(codex, () =>
    sequence(codex.write('three.txt', 'three\n'), { text: 'Taken over.' }),
  );
  const { glassbox, session, status } = atWork(from, to);
  expect(await glassbox('run', 'claude', 'Ask one', ...EDITS)).toMatchObject({ status: 0 });
  const { id } = await session();
  expect(await glassbox('resume', id, 'Ask two')).toMatchObject({ status: 0 });
  const before = status();
  const forked = await glassbox('fork', `${id}@1`, '--agent', 'codex', 'Only the third', ...EDITS);
  expect(forked, forked.stderr + forked.stdout).toMatchObject({ status: 0 });
  const [, folder = ''] = /what was done is in (\S+), on/.exec(forked.stderr) ?? [];
  expect(['one.txt', 'two.txt', 'three.txt'].map((name) => existsSync(path.join(folder, name)))).toEqual([
    true,
    false,
    true,
  ]);
  expect(status()).toBe(before);
  const heard = JSON.stringify(to.model.calls[0]);
  for (const said of ['Ask one', 'one.txt', 'Only the third']) expect(heard).toContain(said);
  expect(heard).not.toContain('Ask two');
});

test('J 6 claude and codex: compared by a check, and the better one brought over and taken back', async () => {
  await using first = await createStage(claude, () =>
    sequence(claude.write('right.txt', 'right\n'), { text: 'Right.' }),
  );
  await using second = await createStage(codex, () =>
    sequence(codex.write('wrong.txt', 'wrong\n'), { text: 'Wrong.' }),
  );
  const { glassbox, status } = atWork(first, second);
  const compared = await glassbox(
    ...[
      'compare',
      'Write it',
      '--agents',
      'claude,codex',
      '--check',
      'test -f right.txt',
      '--permission',
      'accept-edits',
    ],
  );
  expect(compared, compared.stderr).toMatchObject({ status: 0 });
  expect(compared.stdout).toMatch(/1 +claude +finished +passed/);
  expect(compared.stdout).toMatch(/2 +codex +finished +failed/);
  const [, id = ''] = /glassbox comparisons (\w+) shows/.exec(compared.stderr) ?? [];
  expect(status()).toBe('');
  expect(await glassbox('apply', `${id}/1`, '--yes')).toMatchObject({ status: 0 });
  expect(status()).toBe('?? right.txt\n');
  expect(await glassbox('apply', `${id}/1`, '--undo', '--yes')).toMatchObject({ status: 0 });
  expect(status()).toBe('');
});

/** An account with a limit that ends so many seconds after it was first met; `until` is that moment, undefined before. */
interface Limit {
  seconds: number;
  until?: number | undefined;
}

const limitedBy =
  (limit: Limit): ScriptOf =>
  () =>
  () => {
    limit.until ??= Math.floor(Date.now() / 1000) + limit.seconds;
    if (Date.now() >= limit.until * 1000) return { text: 'Went on.' };
    const headers = {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': String(limit.until),
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      'anthropic-ratelimit-unified-5h-status': 'rejected',
      'anthropic-ratelimit-unified-5h-reset': String(limit.until),
      'anthropic-ratelimit-unified-5h-utilization': '1.0',
      'retry-after': '3600',
      'x-should-retry': 'false',
    };
    return { status: 429, message: 'This request would exceed your account rate limit.', headers };
  };

/** Only an account has such limits. */
const asAccount = ({ env }: Stage) =>
  Object.assign(env, { ANTHROPIC_API_KEY: undefined, CLAUDE_CODE_OAUTH_TOKEN: 'loopback-token' });

test('J 7 claude: stopped by a limit it is parked, and goes on when a person says so', async () => {
  const limit: Limit = { seconds: 3600 };
  await using stage = await createStage(claude, limitedBy(limit));
  asAccount(stage);
  const { glassbox, session } = atWork(stage);
  const stopped = await glassbox('run', 'claude', 'Ask one', ...EDITS);
  expect(stopped.stderr, stopped.stdout).toContain('is parked');
  const { id } = await session();
  expect((await glassbox('go-on')).stdout).toContain(id);
  limit.until = 0;
  const went = await glassbox('go-on', id, '--now');
  expect(went, went.stderr + went.stdout).toMatchObject({ status: 0 });
  expect(went.stdout).toContain('Went on.');
  const now = await session();
  expect([now.id, now.runs.length]).toEqual([id, 2]);
  expect((await glassbox('go-on')).stderr).toContain('nothing is parked');
});

test('J 7 claude: waits by itself until the limit is over, and so does another glassbox when the first is killed', async () => {
  const limit: Limit = { seconds: 5 };
  await using stage = await createStage(claude, limitedBy(limit));
  asAccount(stage);
  const { begin, glassbox, session } = atWork(stage);
  const waited = await glassbox('run', 'claude', 'Ask one', '--go-on', ...EDITS);
  expect(waited, waited.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining('Went on.') });
  expect(waited.stderr).toContain('It goes on by itself in');
  const heard = JSON.stringify(stage.model.calls.at(-1));
  for (const said of ['Ask one', 'Go on where you stopped']) expect(heard).toContain(said);

  Object.assign(limit, { seconds: 10, until: undefined });
  const killed = begin('run', 'claude', 'Ask two', '--go-on', ...EDITS);
  await new Promise<void>((resolve) => {
    killed.child.stderr.on('data', (more: string) => more.includes('is parked') && resolve());
  });
  killed.child.kill('SIGKILL');
  await killed.ended;
  const { id } = await session();
  const next = await glassbox('go-on', id);
  expect(next, next.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining('Went on.') });
  expect((await session()).runs).toHaveLength(2);
});
