/** `glassbox fork`: another agent gets the files of that turn in a folder of its own, and a brief. Real git. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { git, makeRepository, ownOf } from '../checkpoint/repository.js';
import { environment } from '../cli/fake-run.js';
import { glassbox } from '../cli/glassbox.js';
import { init, inSession, result, type Step, text, toolResult, toolUse } from '../fake-agent/lines.js';
import { FAKE_AGENT, scriptVariable, temporaryDirectory } from '../fake-agent/play.js';

test('the files of the turn, a brief without secrets, and nothing changes where it was', async () => {
  const root = makeRepository({ 'a.txt': 'a\n' });
  const env = environment([]);
  const run = (script: readonly Step[], ...args: string[]) =>
    glassbox(
      args[0] === 'sessions' ? args : [...args, '--program', FAKE_AGENT],
      '',
      { ...env, FAKE_AGENT_SCRIPT: scriptVariable(script) },
      root,
    );
  const secret = `sk-ant-api03-${'a1B2'.repeat(20)}`;
  const works = [
    init(),
    toolUse('t1', 'Bash', { command: `deploy --token ${secret}` }),
    // No agent is so quick: how the files were before is kept by now.
    { file: path.join(root, '.git', 'refs', 'glassbox') },
    { files: { 'a.txt': 'first\n', 'made.txt': 'm\n' } },
    toolResult('t1', 'ok'),
    text('First half.'),
    result('First half.'),
  ];
  await run(works, 'run', 'claude', 'Do the first half');
  const [kept] = (await run([], 'sessions', '--json')).stdout.split('\n').map((line) => line && JSON.parse(line));
  const { id } = kept as { id: string };
  await run([init(), { files: { 'a.txt': 'second\n' } }, result('Second half.')], 'resume', id, 'Now the rest');
  const own = ownOf(root);
  const brief = await run([], 'fork', `${id}@1`, '--agent', 'claude', '--brief');
  expect(brief.stderr).toBe('');
  expect(brief.stdout).toContain('- Do the first half');
  expect(brief.stdout).toMatch(/- ran: deploy --token .*REDACTED/i);
  expect(brief.stdout).toContain('- made.txt');
  expect(brief.stdout).not.toMatch(/Now the rest|Second half|a1B2a1B2/);
  const told = path.join(temporaryDirectory(), 'told.json');
  const seen = path.join(temporaryDirectory(), 'seen.json');
  const forked = await run(
    [
      { tell: told },
      { hear: 'Only the docs' },
      { touch: seen },
      ...inSession('99999999-2222-4333-8444-555555555555', [init(), result('Done.')]),
    ],
    ...['fork', `${id}@1`, 'Only the docs', '--agent', 'claude'],
  );
  expect(forked).toMatchObject({ status: 0, stderr: expect.stringContaining(`takes ${id}@1 over from claude`) });
  const { cwd } = JSON.parse(readFileSync(told, 'utf8')) as { cwd: string };
  expect(cwd).not.toBe(root);
  expect(forked.stderr).toContain('nothing changed in its work tree');
  expect(readFileSync(path.join(root, 'a.txt'), 'utf8')).toBe('second\n');
  const { [`${root}/.git/packed-refs`]: _, ...now } = ownOf(root);
  expect(now).toEqual(own);
  expect(git(root, 'branch', '--list', 'glassbox/*')).toBe('');
  for (const [words, status, why] of [
    [['fork', `${id}@9`, '--agent', 'claude'], 3, 'turn'],
    [['fork', id, '--agent', 'nobody'], 2, 'nobody'],
    [['fork', 'zzzz', '--agent', 'claude'], 3, 'no session'],
  ] as const)
    expect(await run([], ...words)).toMatchObject({ status, stderr: expect.stringContaining(why) });

  // Elsewhere than in git what works is named.
  const plain = temporaryDirectory();
  await run(works.slice(-2), 'run', 'claude', 'In a plain folder', '--cwd', plain);
  expect(await run([], 'fork', id, '--agent', 'claude')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/glassbox fork \w+@\d --agent claude --brief \| glassbox run claude -/),
  });
});
