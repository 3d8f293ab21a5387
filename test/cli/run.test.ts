import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer, ask, failure, init, interruptedResult, result, say, text, toolUse } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { environment, fakeRun, startFakeRun } from './fake-run.js';
import { glassbox } from './glassbox.js';

const command = { command: 'touch a' };
const asked = [init(), toolUse('t1', 'Bash', command), ask('q1', 't1', 'Bash', command), { hear: 'q1' }, result('ok')];

describe('glassbox run', () => {
  test('S1-01 S1-02 S1-04 S1-36 shows the lines of the seed, and 0', async () => {
    const { stdout, status } = await fakeRun(
      ['run', 'claude', 'Fix it'],
      [init(), text('On it.'), toolUse('t', 'Bash', command), result('x', { total_cost_usd: 0.015 })],
    );
    expect(stdout).toBe('[claude] "On it."\n[claude] Bash: touch a\n[claude] Complete (cost: $0.0150)\n');
    expect(status).toBe(0);
  });

  test('S1-48 S1-47 echoes the command quoted, and with --verbose the numbers of the stream', async () => {
    const { stderr } = await fakeRun(
      ['run', 'claude', "it's", '--permission=deny', '--verbose'],
      [...answer('x'), say('broken')],
    );
    expect(stderr).toMatch(
      /^\[glassbox\] Agent command: \S+ --print --output-format stream-json --verbose .* -- 'it'\\''s'$/m,
    );
    expect(stderr).toMatch(/^glassbox: stream stats: \d+ events, 1 errors \(lines that could not be read\)$/m);
  });

  test.each([
    ['a failed agent', [init(), failure('no')], [], 1],
    ['a crash', [init(), { exit: 3 }], [], 1],
    ['the time', [init(), { hang: true }], ['--timeout=1s', '--permission=deny'], 124],
    ['the budget', [init(), result('x', { total_cost_usd: 9 }), { hearEnd: true }], ['--budget=1'], 5],
  ])('the status tells of %s', async (_, script, flags, status) => {
    const ended = await fakeRun(['run', 'claude', 'x', ...flags], script);
    expect(ended.status).toBe(status);
    expect(ended.stderr).not.toMatch(/\n {4}at /);
  });

  test('127 for a program that is not there, with the next step', async () => {
    const { status, stdout } = await glassbox(['run', 'claude', 'x', '--program=/nowhere'], '', environment([]));
    expect(status).toBe(127);
    expect(stdout).toContain('Hint: Install it with: npm install -g');
  });

  test('where there is no package to install, the next step is another one', async () => {
    const { stdout } = await glassbox(['run', 'acp', 'x', '--program=/nowhere'], '', environment([]));
    expect(stdout).toMatch(/Hint: Name the program of an agent that speaks the protocol/);
    expect(stdout).not.toContain('Install it with');
  });

  test.each([
    ['an unknown agent', ['nobody', 'x'], /no agent named nobody/],
    ['no agent', [], /Say which agent/],
    ['an empty prompt', ['claude', ' '], /The prompt is empty\. Say what the agent shall do/],
    ['a time that is none', ['claude', 'x', '--timeout=soon'], /90s, 10m or 1h/],
    ['a reserved flag', ['claude', 'x', '--arg=--print'], /set by glassbox/],
    ['a prompt twice', ['claude', 'x', '-f', 'y'], /not both/],
  ])('2 for %s, in one sentence', async (_, args, message) => {
    const { status, stderr } = await fakeRun(['run', ...args], []);
    expect(status).toBe(2);
    expect(stderr.trimEnd()).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('the prompt may come from stdin, from a dash or from a file', async () => {
    const file = path.join(temporaryDirectory(), 'prompt');
    writeFileSync(file, 'from a file');
    for (const [args, input, heard] of [
      [['claude'], 'from stdin', 'from stdin'],
      [['claude', '-'], 'from a dash', 'from a dash'],
      [['claude', '-f', file], '', 'from a file'],
    ] as const) {
      const ended = await fakeRun(['run', ...args], [{ hear: heard }, ...answer('x')], { input });
      expect(ended.status).toBe(0);
    }
  });

  test('decision 1 without a terminal it denies and says so', async () => {
    const { stdout, stderr, status } = await fakeRun(['run', 'claude', 'x'], asked);
    expect(stdout).toContain('Permission required: Bash');
    expect(stderr).toMatch(/Denied 1 time, for want of a terminal.*glassbox\.json/);
    expect(status).toBe(0);
  });

  test('decision 17 unless the rules of the project decide, which is told', async () => {
    const cwd = temporaryDirectory();
    const log = path.join(temporaryDirectory(), 'log');
    writeFileSync(
      path.join(cwd, 'glassbox.json'),
      JSON.stringify({ rules: [{ decision: 'allow', command: 'touch *' }] }),
    );
    const { stderr } = await fakeRun(['run', 'claude', 'x'], asked, { cwd, env: { FAKE_AGENT_LOG: log } });
    expect(readFileSync(log, 'utf8')).toContain('"behavior":"allow"');
    expect(stderr).toMatch(/1 rule of .*glassbox\.json allows things without asking/);
    expect(stderr).not.toContain('Denied');
  });

  test('decision 17 several rules are told as several', async () => {
    const cwd = temporaryDirectory();
    const rules = ['touch *', 'ls *'].map((command) => ({ decision: 'allow', command }));
    writeFileSync(path.join(cwd, 'glassbox.json'), JSON.stringify({ rules }));
    const { stderr } = await fakeRun(['run', 'claude', 'x'], asked, { cwd });
    expect(stderr).toMatch(/2 rules of .*glassbox\.json allow things without asking/);
  });

  test('decision 17 a configuration that makes no sense is refused before anything starts', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(path.join(cwd, 'glassbox.json'), '{"permission":"bypass"}');
    const { stderr, status } = await fakeRun(['run', 'claude', 'x'], asked, { cwd });
    expect(status).toBe(2);
    expect(stderr).toMatch(/permission must not be bypass here/);
  });

  test('decision 17 flags go before the environment', async () => {
    const told = path.join(temporaryDirectory(), 'told');
    const script = [{ tell: told }, ...answer('x')];
    const model = async (...flags: string[]) => {
      await fakeRun(['run', 'claude', 'x', ...flags], script, { env: { GLASSBOX_MODEL: 'environment' } });
      return JSON.parse(readFileSync(told, 'utf8')).argv.find((arg: string) => arg.startsWith('--model'));
    };
    expect(await model()).toBe('--model=environment');
    expect(await model('--model=flag')).toBe('--model=flag');
  });

  test('S1-01 S1-45 --no-stream-agent-output prints only the answer', async () => {
    const { stdout } = await fakeRun(['run', 'claude', 'x', '--no-stream-agent-output'], answer('forty-two'));
    expect(stdout).toBe('forty-two\n');
  });

  test.each([
    ['run', ['run', 'claude', 'x']],
    ['loop', ['loop', 'claude', 'x', '--max=1']],
  ])('a kept %s with bypass shows its warning and loses nothing', async (_, args) => {
    const { stdout } = await fakeRun([...args, '--permission=bypass'], answer('x'));
    expect(stdout).toContain('The agent may do anything without being asked.');
    expect(stdout).not.toContain('lost');
  });

  test('a kept run prints with --json every event from the first on', async () => {
    const { stdout } = await fakeRun(['run', 'claude', 'x', '--permission=bypass', '--json'], answer('x'));
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ seq: 1, type: 'warning', code: 'permission-bypass' });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  });

  test.each([
    [['--continue'], 'continuing the latest session that the agent has here.'],
    [['--resume=abc'], 'continuing the agent’s session abc.'],
  ])('%s says first which session that is', async (flags, words) => {
    const { stderr } = await fakeRun(['run', 'claude', 'x', ...flags], answer('x'));
    expect(stderr.split('\n')[0]).toBe(`glassbox: ${words}`);
  });

  test('--json prints neutral events, the run’s end last', async () => {
    const { stdout, stderr } = await fakeRun(['run', 'claude', 'x', '--json'], answer('x'));
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.at(-1)).toMatchObject({ schema: 1, type: 'run-end', reason: 'finished' });
    expect(stderr).toBe('');
  });

  test.each([
    ['run', []],
    ['loop', ['--max=1', '--until=x']],
  ])('S1-46 %s shows what the agent says on stderr, made safe and redacted', async (command, flags) => {
    const script = [
      { stderr: 'careful\u001b]0;owned\u0007\n' },
      { stderr: `login with ghp_${'a1B2c3D4'.repeat(5)}\n` },
      { stderr: 'DB_PASSWORD=Sup3rS3cretVal' },
      ...answer('x'),
    ];
    const { stderr } = await fakeRun([command, 'claude', 'x', ...flags], script);
    expect(stderr).toContain('careful');
    expect(stderr).not.toContain('\u001b');
    expect(stderr).toContain('login with [redacted:github-token]\n');
    expect(stderr).toContain('DB_PASSWORD=[redacted:credential]');
  });

  test('Ctrl-C once interrupts: the agent ends its turn, 130', async () => {
    const script = [init(), text('working'), { hear: '"subtype":"interrupt"' }, interruptedResult(), { hearEnd: true }];
    const { child, printed, ended } = startFakeRun(['run', 'claude', 'x'], script);
    await printed('working');
    child.kill('SIGINT');
    const { status, stdout, stderr } = await ended;
    expect(status).toBe(130);
    expect(stderr).toContain('interrupting; Ctrl-C again ends it');
    expect(stdout).toContain('Interrupted by the user (cost: $0.0100)');
  });

  test('Ctrl-C twice ends one that does not listen, 130', async () => {
    const { child, printed, ended } = startFakeRun(['run', 'claude', 'x'], [init(), text('working'), { hang: true }]);
    await printed('working');
    child.kill('SIGINT');
    await untilSaid(child, 'Ctrl-C again');
    child.kill('SIGINT');
    expect((await ended).status).toBe(130);
  });

  test('a signal from outside ends it, 143', async () => {
    const { child, printed, ended } = startFakeRun(
      ['run', 'claude', 'x', '--permission=deny'],
      [init(), text('working'), { hang: true }],
    );
    await printed('working');
    child.kill('SIGTERM');
    expect((await ended).status).toBe(143);
  });
});

function untilSaid(child: { stderr: NodeJS.ReadableStream }, words: string): Promise<void> {
  return new Promise((resolve) => {
    child.stderr.on('data', (data) => String(data).includes(words) && resolve());
  });
}
