/** A run that is kept: found, shown, exported, continued, answered from elsewhere. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { wholeRun } from '../../src/store/conformance/events.js';
import { openStore } from '../../src/store/index.js';
import { ask, init, result, text, toolUse } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { environment, fakeRun, newStore, openTerminal } from './fake-run.js';
import { glassbox, start } from './glassbox.js';

describe('a run', () => {
  const script = [
    init(),
    text('Looking at the zebra'),
    toolUse('t', 'Bash', { command: 'ls' }),
    result('ok', { total_cost_usd: 0.25 }),
  ];

  test('is kept, can be found, and can be continued by its id', async () => {
    const env = { GLASSBOX_STORE: newStore() };
    const cwd = temporaryDirectory();
    await fakeRun(['run', 'claude', 'Count the stripes'], script, { env, cwd });
    const [line = ''] = (await glassbox(['sessions', '--json'], '', env)).stdout.split('\n');
    const session = JSON.parse(line);
    expect(session).toMatchObject({
      title: 'Count the stripes',
      outcome: 'finished',
      cwd,
      spent: { usd: 0.25 },
      toolCalls: 1,
    });
    expect((await glassbox(['search', 'zebra'], '', env)).stdout).toContain('Looking at the zebra');

    const again = [init(), text('Twelve'), result('ok', { total_cost_usd: 0.4 })];
    const resumed = await fakeRun(['resume', session.id.slice(0, 4), 'Really?'], again, { env, cwd });
    expect(resumed.stderr).toMatch(/Agent command: .*--resume[= ]11111111-2222-4333-8444-555555555555/);
    // What it alone cost, here and when it is shown again.
    expect(resumed.stdout).toContain('Complete (cost: $0.1500)');
    const { stdout: shown } = await glassbox(['show', session.id], '', env);
    expect(shown.match(/Complete \(cost: .*\)/g)).toEqual(['Complete (cost: $0.2500)', 'Complete (cost: $0.1500)']);
    const after = JSON.parse((await glassbox(['sessions', '--json'], '', env)).stdout);
    expect(after).toMatchObject({ id: session.id, runs: [{}, { resumedFrom: session.runs[0].runId }] });
    expect(after.spent).toEqual({ usd: 0.4, scope: 'session', origin: 'reported' });
  });

  describe('is shown again by its id', () => {
    const env = { GLASSBOX_STORE: newStore() };
    const cwd = temporaryDirectory();
    const show = (...args: string[]) => glassbox(['show', ...args], '', env);
    let id = '';
    let live = '';

    beforeAll(async () => {
      live = (await fakeRun(['run', 'claude', 'Count', '--verbose'], script, { env, cwd })).stdout;
      id = JSON.parse((await glassbox(['sessions', '--json'], '', env)).stdout).id;
    });

    test('as it was printed, also by the beginning of the id and as the latest', async () => {
      expect(live).toContain('Looking at the zebra');
      for (const ref of [id, id.slice(0, 4), 'latest']) {
        expect(await show(ref, '--verbose')).toEqual({ stdout: live, stderr: '', status: 0, signal: null });
      }
    });

    test('as events, which can be read back', async () => {
      const { stdout } = await show(id, '--json');
      const types = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).type);
      expect(types.at(-1)).toBe('run-end');
      expect((await glassbox(['--verbose'], stdout)).stdout).toBe(live);
    });

    test('with all its runs, each under the same name', async () => {
      await fakeRun(['resume', id, 'And now?'], [init(), text('Twelve'), result('ok')], { env, cwd });
      expect((await show(id)).stdout).toMatch(/zebra.*Complete.*Twelve.*Complete/s);
      expect((await show(id, 'latest', '--quiet')).stdout).toMatch(/^==> \w+ <==\n.*\n\n==> latest <==\n/s);
    });

    test('a file of that name is the file; what is neither is told', async () => {
      expect((await glassbox(['show', path.join(cwd, id)], '', env)).stderr).toMatch(/^glassbox: There is no file /);
      expect(await show('zzzz', id, '--quiet')).toMatchObject({
        stdout: expect.stringContaining('Complete'),
        stderr: 'glassbox: There is neither a file nor a session zzzz. glassbox sessions lists the sessions.\n',
        status: 3,
      });
    });
  });

  describe('is exported', () => {
    const env = { GLASSBOX_STORE: newStore() };
    const cwd = temporaryDirectory();
    const save = (...args: string[]) => glassbox(['export', ...args], '', env);
    let id = '';

    beforeAll(async () => {
      await fakeRun(['run', 'claude', 'Count the stripes'], script, { env, cwd });
      id = JSON.parse((await glassbox(['sessions', '--json'], '', env)).stdout).id;
    });

    test('to standard output in a pipe, as HTML or Markdown', async () => {
      expect((await save(id)).stdout).toMatch(/^<!doctype html>.*Looking at the zebra/s);
      expect(await save(id.slice(0, 4), '--format=markdown')).toMatchObject({
        stdout: expect.stringMatching(/^# Count the stripes\n\nclaude · .*Looking at the zebra/s),
        stderr: '',
        status: 0,
      });
    });

    test('to a file, in the format that its name says', async () => {
      const file = path.join(cwd, 'review.md');
      expect(await save('latest', '-o', file)).toMatchObject({
        stdout: '',
        stderr: `glassbox: wrote ${file}\n`,
        status: 0,
      });
      expect(readFileSync(file, 'utf8')).toMatch(/^# Count the stripes\n/);
      expect((await save(id, '--format=html', '--output=-')).stdout).toMatch(/^<!doctype html>/);
    });

    test('with a clear word when it cannot be', async () => {
      expect(await save(id, '--output', path.join(cwd, 'no', 'x.html'))).toMatchObject({
        stderr: expect.stringMatching(/^glassbox: .*x\.html could not be written \(ENOENT\)\.\n$/),
        status: 3,
      });
      expect(await save('zzzz')).toMatchObject({
        stderr: 'glassbox: There is no session zzzz. See glassbox sessions.\n',
        status: 3,
      });
      expect(await save()).toMatchObject({
        stderr: expect.stringContaining('no session of this directory'),
        status: 3,
      });
    });
  });

  test('resume goes on under the terms of the session, says them, and flags win', async () => {
    const env = { GLASSBOX_STORE: newStore() };
    const cwd = process.cwd();
    const script = [init(), text('One'), result('ok')];
    await fakeRun(['run', 'claude', 'Begin', '--permission', 'plan', '--model', 'opus'], script, { env, cwd });
    const same = await fakeRun(['resume', 'Go on'], script, { env, cwd });
    expect(same.stderr).toContain('in force: permission plan, model opus');
    expect(same.stderr).toMatch(/Agent command: .*--model=opus --permission-mode=plan/);
    const other = await fakeRun(['resume', 'Go on', '--permission', 'ask'], script, { env, cwd });
    expect(other.stderr).toContain('in force: permission ask, model opus');
    expect(other.stderr).not.toContain('--permission-mode=plan');
  });

  test('without an id the latest session here is continued; without any, it says so', async () => {
    const env = { GLASSBOX_STORE: newStore() };
    const cwd = temporaryDirectory();
    const nothing = await glassbox(['resume', 'Go on'], '', env);
    expect(nothing).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('There is no session of this directory yet'),
    });
    expect(await glassbox(['resume', 'zzzz', 'Go on'], '', env)).toMatchObject({
      stderr: expect.stringContaining('no session zzzz'),
    });
    await fakeRun(['run', 'claude', 'Begin'], script, { env, cwd: process.cwd() });
    const { stderr } = await fakeRun(['resume', 'Go on'], script, { env, cwd });
    expect(stderr).toMatch(/continuing [\s\S]*--resume/);
    for (const [wrong, message] of [
      [['resume', 'latest'], 'The prompt is empty.'],
      [['resume', 'latest', 'Go on', '--model=-x'], 'invalid model'],
      [['run', 'claude', '--continue'], 'The prompt is empty.'],
    ] as const) {
      const refused = await glassbox([...wrong], '', env);
      expect(refused, 'the error stands alone').toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/^glassbox: [^\n]*\n$/),
      });
      expect(refused.stderr).toContain(message);
    }
  });

  describe('is continued only where that was typed', () => {
    const env = { GLASSBOX_STORE: newStore() };
    const cwd = process.cwd();
    const say = (...words: string[]) => fakeRun(['resume', ...words], script, { env, cwd });
    let shared = '';

    beforeAll(async () => {
      const store = await openStore(env.GLASSBOX_STORE);
      // An id begins with one of 27 characters, so that of 28 sessions two begin alike.
      for (let n = 0; n < 28; n += 1)
        await store.append(wholeRun({ runId: `r${n}`, agent: 'claude', sessionId: `s${n}` }));
      await store.close();
      const letters = (await sessions()).map(({ id }) => id.slice(0, 1));
      shared = letters.find((letter, at) => letters.indexOf(letter) !== at) ?? '';
      await fakeRun(['run', 'claude', 'Begin'], script, { env, cwd });
    });

    const sessions = async (): Promise<{ id: string; runs: unknown[] }[]> =>
      (await glassbox(['sessions', '--json', '--limit=100'], '', env)).stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    const runs = async () => (await sessions()).reduce((sum, session) => sum + session.runs.length, 0);

    test('several that begin alike are an error, at any length', async () => {
      const before = await runs();
      expect(await say(shared, 'hi')).toMatchObject({ status: 3, stderr: expect.stringContaining('begin with') });
      expect(await runs()).toBe(before);
    });

    test.each(['zz3', 'zzzzzz', 'k7qe', '11111111-aaaa-4333-8444-555555555555'])(
      '%s before other words is an id or an error',
      async (word) => {
        const before = await runs();
        const ended = await say(word, 'Go', 'on');
        expect(ended).toMatchObject({ status: 3, stderr: expect.stringContaining(`There is no session ${word}.`) });
        expect(await runs()).toBe(before);
      },
    );

    test('a word before words in quotes is one too, whatever it looks like', async () => {
      expect(await say('fixes', 'Go on')).toMatchObject({
        status: 3,
        stderr: expect.stringMatching(/There is no session fixes\..* in quotes/),
      });
    });

    test('the beginning of an id, however short, is that session, and it is told first which', async () => {
      const all = (await sessions()).map(({ id }) => id);
      const id = all.find((one) => all.filter((other) => other.startsWith(one.slice(0, 2))).length === 1) ?? '';
      const { stderr } = await say(id.slice(0, 2), 'Go on');
      expect(stderr.split('\n')[0]).toMatch(new RegExp(`^glassbox: continuing ${id} \\(claude, .*\\): `));
    });

    test('other words are a prompt for the latest here, in quotes or not, and it is told which', async () => {
      for (const words of [['Go', 'on'], ['Go on'], ['css is broken']]) {
        const { stderr, status } = await say(...words);
        expect(status).toBe(0);
        expect(stderr).toMatch(/^glassbox: continuing \w{6} \(claude, .*\): Begin\n/);
      }
    });

    test('a start that failed is not the latest, keeps its prompt, and is not offered', async () => {
      const missing = ['run', 'claude', 'Lost words', '--program=/nowhere', '--cwd', cwd];
      await glassbox(missing, '', { ...environment([]), ...env });
      expect((await glassbox(['sessions'], '', env)).stdout).toMatch(/spawn-failed.*Lost words/);
      expect((await say('Go on')).stderr).toMatch(/^glassbox: continuing \w{6} .*: Begin\n/);
    });
  });

  test('is offered for more only where its agent said how', async () => {
    const screen = openTerminal(['run', 'claude', 'x'], [{ exit: 1 }]);
    await screen.ended;
    expect(screen.text()).toMatch(/kept as \w{6}\.\s*$/);
  });

  test('--no-store keeps nothing', async () => {
    const env = { GLASSBOX_STORE: newStore() };
    await fakeRun(['run', 'claude', 'x', '--no-store'], script, { env });
    expect((await glassbox(['sessions'], '', env)).stderr).toContain('no sessions yet');
  });

  test('a store that fails is told once, and the run goes on', async () => {
    const store = path.join(import.meta.filename, 'store.db');
    const { stdout, stderr, status } = await fakeRun(['run', 'claude', 'x', `--store=${store}`], script);
    expect(stdout).toContain('Looking at the zebra');
    expect(stderr.match(/this run is not kept/g)).toHaveLength(1);
    expect(status).toBe(0);
  });

  test('an answer from another process reaches the agent', async () => {
    const env = environment([], {}).GLASSBOX_STORE ?? '';
    const input = { command: 'touch a' };
    const asking = [init(), toolUse('t1', 'Bash', input), ask('q1', 't1', 'Bash', input), { hear: 'q1' }, result('ok')];
    const screen = openTerminal(['run', 'claude', 'x'], asking, { env: { GLASSBOX_STORE: env } });
    await screen.shows('allow once');
    const store = await openStore(env);
    const [waiting] = await waitFor(() => store.approvals());
    expect(waiting?.request).toMatchObject({ toolName: 'Bash', input });
    const answer = { type: 'answer', approval: waiting?.request.id ?? '', answer: { type: 'approve' } } as const;
    expect(await store.tell(waiting?.runId ?? '', answer, { by: 'person' })).toEqual({ outcome: 'done' });
    expect(await screen.ended).toBe(0);
    expect(screen.text()).toMatch(/kept as [2-9b-z]{6}\. Go on with: glassbox resume/);
    expect(await store.session('latest')).toMatchObject({ state: 'ended', outcome: 'finished' });
    await store.close();
  });
});

/** The run writes what it asks a moment after it shows it. */
async function waitFor<Item>(look: () => Promise<Item[]>): Promise<Item[]> {
  for (;;) {
    const found = await look();
    if (found.length > 0) return found;
  }
}

test.each(['ps', 'sessions'])('%s says in one line that a database cannot be reached', async (command) => {
  const { stderr, status } = await start([command], { GLASSBOX_STORE: 'postgres://127.0.0.1:1/nobody' }).ended;
  expect(stderr).toMatch(/^glassbox: The store postgres:\/\/127\.0\.0\.1:1\/nobody cannot be reached .*\n$/);
  expect(status).toBe(3);
});
