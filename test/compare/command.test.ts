/** `glassbox compare`, `comparisons` and `apply` as a user types them, one killed in the middle. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { filesOf, git, makeRepository, write } from '../checkpoint/repository.js';
import { environment } from '../cli/fake-run.js';
import { glassbox, start } from '../cli/glassbox.js';
import { init, result, type Step } from '../fake-agent/lines.js';
import { FAKE_AGENT, isRunning, scriptVariable, temporaryDirectory } from '../fake-agent/play.js';

function stage(script: readonly Step[]) {
  const root = makeRepository({ 'a.txt': 'a\n' });
  const config = path.join(temporaryDirectory(), 'config.json');
  const play = (steps: readonly Step[]) => {
    const env = { FAKE_AGENT_SCRIPT: scriptVariable(steps) };
    writeFileSync(config, JSON.stringify({ agents: { claude: { program: FAKE_AGENT, env } } }));
  };
  play(script);
  const env = environment([], { GLASSBOX_CONFIG: config });
  return { root, env, play, ask: (...args: string[]) => glassbox(args, '', env, root) };
}

const works: Step[] = [init(), { files: { 'a.txt': 'b\n', 'new.txt': 'n\n' } }, result('It works now.')];
const PERMITTED = ['--permission', 'bypass', '--agents', 'claude:some'];

test('the table, the changes of one attempt, back again, and a baseline that later attempts fall behind', async () => {
  const { root, play, ask } = stage(works);
  const saved = path.join(temporaryDirectory(), 'baseline.json');
  write(root, { 'mine.txt': 'm' });
  const compared = await ask(
    'compare',
    'Do it',
    ...PERMITTED,
    '--times',
    '3',
    '--check',
    'test -f new.txt',
    '--save',
    saved,
  );
  expect(compared).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('1 file that you did not commit is not part'),
  });
  expect(compared.stdout).toMatch(/1 +claude:some +finished +passed +\$0\.0100 .* 2 files \+2 -1 .*It works now\./);
  expect(compared.stdout).toMatch(/claude:some +3 of 3 +100 % +100 % +100 % +\$0\.0300/);
  const [, id = ''] = /glassbox comparisons (\w+) shows/.exec(compared.stderr) ?? [];
  expect((await ask('comparisons', id)).stdout).toContain(compared.stdout.split('\n')[1]?.slice(0, 60));
  expect((await ask('comparisons')).stdout).toContain('claude:some 3 of 3');

  const files = filesOf(root);
  expect(await ask('apply', `${id}/2`, '--dry-run')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('is new'),
  });
  expect(await ask('apply', `${id}/2`, '--yes')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('2 files'),
  });
  expect(filesOf(root)).toEqual({ 'a.txt': '- b\n', 'mine.txt': '- m', 'new.txt': '- n\n' });
  expect(await ask('apply', `${id}/2`, '--undo', '--yes')).toMatchObject({ status: 0 });
  expect(filesOf(root)).toEqual(files);
  write(root, { 'a.txt': 'mine\n' });
  expect(await ask('apply', `${id}/1`, '--yes')).toMatchObject({ status: 3, stderr: expect.stringContaining('a.txt') });
  expect(filesOf(root)).toEqual({ ...files, 'a.txt': '- mine\n' });

  play([init(), result('I did nothing.')]);
  const again = ['compare', 'Do it', ...PERMITTED, '--times', '3', '--against', saved];
  const worse = await ask(...again, '--check', 'test -f new.txt', '--quiet');
  expect(worse).toMatchObject({ status: 1, stdout: expect.stringContaining('claude:some: worse. 0 of 3 passed') });
  expect(await ask(...again, '--check', 'true')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('another'),
  });

  expect(await ask('comparisons', id, '--remove', '--yes')).toMatchObject({ status: 0 });
  expect(git(root, 'for-each-ref', 'refs/glassbox/compare-*')).not.toContain(id);
  expect((await ask('comparisons', id)).status).toBe(3);
});

test.each([
  [['compare', 'Do it', '--agents', 'claude'], 2, '--permission'],
  [['compare', 'Do it', '--agents', 'nobody', '--permission', 'plan'], 2, 'no agent named nobody'],
  [['compare', ' ', '--agents', 'claude', '--permission', 'plan'], 2, 'what they shall do'],
  [['compare', 'Do it', '--agents', 'claude', '--permission', 'plan', '--save', 'x'], 2, '--check'],
  [['compare', 'Do it', '--agents', 'claude,qwen', '--budget', '1', '--permission', 'plan'], 2, 'budget'],
  [
    ['compare', 'Do it', '--agents', 'claude', '--permission', 'plan', '--check', 'x', '--against', '/none'],
    3,
    '/none',
  ],
  [['apply', 'x4kd2p/1'], 3, 'no comparison x4kd2p'],
  [['apply', 'k7qd'], 3, 'no work tree of that name or session'],
])('%s is refused before anything is made', async (args, status, why) => {
  const { root, ask } = stage(works);
  expect(await ask(...args)).toMatchObject({ status, stderr: expect.stringContaining(why) });
  expect(git(root, 'worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
});

test('where there can be no work tree, that is said, and what makes one', async () => {
  const { env } = stage(works);
  const plain = temporaryDirectory();
  const ask = () => glassbox(['compare', 'Do it', ...PERMITTED, '--uncommitted'], '', env, plain);
  expect(await ask()).toMatchObject({ status: 2, stderr: expect.stringContaining('is in no git repository') });
  git(plain, 'init', '-q');
  expect(await ask()).toMatchObject({ status: 2, stderr: expect.stringContaining('git commit makes one') });
});

test('when glassbox is killed, agent and check are ended by the next one, and what is there can be brought over', async () => {
  const pidFile = path.join(temporaryDirectory(), 'pid');
  const { root, env, ask } = stage([init(), { files: { 'a.txt': 'half\n' } }, { touch: pidFile }, { hang: true }]);
  const killed = start(
    ['compare', 'Do it', '--agents', 'claude', '--permission', 'bypass', '--check', 'true'],
    env,
    root,
  );
  await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '', { timeout: 60_000 }).toBe(true);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const next = await start(['comparisons', '--json'], env, root).ended;
  const [line = ''] = next.stdout.split('\n');
  const { id, attempts } = JSON.parse(line) as { id: string; attempts: unknown[] };
  expect(attempts).toMatchObject([{ state: 'cut-off', verdict: 'unknown' }]);
  expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  expect(await ask('apply', `${id}/1`, '--yes')).toMatchObject({ status: 0 });
  expect(filesOf(root)).toEqual({ 'a.txt': '- half\n' });
});
