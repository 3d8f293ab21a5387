import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { glassbox, recording, start, temporaryFile } from './glassbox.js';

const read = (name: string) => readFileSync(recording(name), 'utf8');
const lines = read('multi-block').split('\n').slice(0, -1);
const printed = `[claude] "Let me look."
[claude] Bash: echo hi; echo err >&2
[claude] "Done: it said hi."
[claude] Complete (cost: $0.0027)
`;

describe('S1-02, S1-03 an agent on a pipe', () => {
  test('is recognised and printed', async () => {
    expect(await glassbox([], read('multi-block'))).toEqual({ stdout: printed, stderr: '', status: 0, signal: null });
  });

  test('R-06 a byte order mark is harmless, before the stream and before printed events', async () => {
    const { stdout } = await glassbox([], `\uFEFF${read('multi-block')}`);
    expect(stdout).toBe(printed);
    const events = (await glassbox(['--json'], `\uFEFF${read('multi-block')}`)).stdout;
    expect(events).toContain('"type":"session-start"');
    expect((await glassbox([], `\uFEFF${events}`)).stdout).toBe(printed);
  });

  test('live: a line is printed before the next one comes', async () => {
    const { child, printed: sees, ended } = start([]);
    const half = lines.findIndex((line) => line.includes('Let me look')) + 1;
    child.stdin.write(`${lines.slice(0, half).join('\n')}\n`);
    await sees('"Let me look."');
    child.stdin.end(lines.slice(half).join('\n'));
    expect(await ended).toMatchObject({ stdout: printed, status: 0 });
  });

  test.each([
    ['a failure', read('api-fail-400'), 1],
    ['a limit of turns', read('max-turns'), 5],
    ['a stream that was cut', lines.slice(0, 3).join('\n'), 4],
  ])('says in its status how it ended: %s', async (_name, input, status) => {
    expect((await glassbox(['--quiet'], input)).status).toBe(status);
  });

  test.each([
    ['--verbose', '[claude]   -> hi err\n'],
    ['-V', '[claude]   -> hi err\n'],
    ['--progress', '[claude] session started'],
    ['--color=always', '\x1b[32mComplete'],
  ])('with %s', async (flag, text) => {
    expect((await glassbox([flag], read('multi-block'))).stdout).toContain(text);
  });

  test('S1-47 --verbose counts what was read', async () => {
    const { stderr } = await glassbox(['--verbose'], `${lines[0]}\n{oops\n${lines.at(-1)}\n`);
    expect(stderr).toMatch(/^glassbox: stream stats: \d+ events, 1 errors \(lines that could not be read\)\n$/);
  });

  test('S1-25 --no-text and --quiet leave lines out', async () => {
    expect((await glassbox(['--no-text'], read('multi-block'))).stdout).not.toContain('Let me look');
    expect((await glassbox(['-q'], read('multi-block'))).stdout).toBe('[claude] Complete (cost: $0.0027)\n');
  });

  test('--json prints neutral events, and reads them back', async () => {
    const { stdout } = await glassbox(['--json'], read('multi-block'));
    const events = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    expect(events.map(({ schema, seq }) => [schema, seq])).toEqual(events.map((_, index) => [1, index + 1]));
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', outcome: 'success', agent: 'claude' });
    expect(await glassbox([], stdout)).toMatchObject({ stdout: printed, status: 0 });
  });

  test('LL-39 --json is safe on a terminal and loses nothing', async () => {
    const hostile = '\x9b31m\u202e\x1b[2J\u{e0041}\x7f';
    const text = { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: hostile }] } };
    const { stdout } = await glassbox(['--json'], `${lines[0]}\n${JSON.stringify(text)}\n`);
    expect(stdout).not.toMatch(/[\x7f-\x9f\u202e\u{e0041}]/u);
    expect(stdout.split('\n').some((line) => line.startsWith('{') && JSON.parse(line).text === hostile)).toBe(true);
  });

  test('talk before the stream is passed on', async () => {
    const { stdout, stderr } = await glassbox([], `> my-app@1.0.0 agent\n\n${read('multi-block')}`);
    expect({ stdout, stderr }).toEqual({ stdout: `> my-app@1.0.0 agent\n\n${printed}`, stderr: '' });
  });
});

describe('what comes through the pipe is kept', () => {
  const newStore = () => path.join(path.dirname(temporaryFile('x', '')), 'store.db');
  const sessions = async (env: NodeJS.ProcessEnv) => {
    const { stdout } = await glassbox(['sessions', '--json'], '', env);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  /** What is kept of them: what other processes of the machine prove is another matter. */
  const kept = async (env: NodeJS.ProcessEnv) => (await sessions(env)).map(({ presence: _, ...session }) => session);

  test('as a run is, and it is found, shown and counted', async () => {
    const env = { GLASSBOX_STORE: newStore() };
    expect(await glassbox([], read('multi-block'), env)).toMatchObject({ stdout: printed, stderr: '', status: 0 });
    const [session] = await sessions(env);
    expect(session).toMatchObject({ agent: 'claude', state: 'ended', outcome: 'finished', toolCalls: 1 });
    expect(session.runs).toMatchObject([{ piped: true }]);
    expect((await glassbox(['show', session.id], '', env)).stdout).toBe(printed);
    expect((await glassbox(['search', 'said'], '', env)).stdout).toContain('Done: it said hi.');
    expect((await glassbox(['cost', '--kept'], '', env)).stdout).toContain('$0.0027');
  });

  test('live: it is there while it goes on', async () => {
    const env = { GLASSBOX_STORE: newStore() };
    const { child, printed: sees, ended } = start([], env);
    child.stdin.write(`${lines.slice(0, -1).join('\n')}\n`);
    await sees('"Done: it said hi."');
    const store = await openStore(env.GLASSBOX_STORE);
    while ((await store.session('latest'))?.toolCalls !== 1);
    expect(await store.session('latest')).toMatchObject({ state: 'running', runs: [{ owner: { pid: child.pid } }] });
    child.stdin.end(lines.at(-1));
    expect(await ended).toMatchObject({ stdout: printed, status: 0 });
    expect(await store.session('latest')).toMatchObject({ state: 'ended', outcome: 'finished' });
    await store.close();
  });

  test('the same stream again once, what glassbox printed itself not at all', async () => {
    const env = { GLASSBOX_STORE: newStore() };
    await glassbox([], read('multi-block'), env);
    await glassbox([], read('multi-block'), env);
    const { stdout } = await glassbox(['show', 'latest', '--json'], '', env);
    await glassbox([], stdout, env);
    await glassbox(['show', recording('basic-text')], '', env);
    expect((await sessions(env)).map(({ runs }) => runs.length)).toEqual([1]);
  });

  test('the beginning of a stream that is kept, ended by the person, changes nothing of what is known', async () => {
    const env = { GLASSBOX_STORE: newStore() };
    await glassbox([], read('multi-block'), env);
    const before = await kept(env);
    const { child, printed: sees, ended } = start([], env);
    child.stdin.write(`${lines.slice(0, -2).join('\n')}\n${lines.at(-2)?.slice(0, 40)}`);
    await sees('"Let me look."');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ status: 130 });
    expect(await kept(env)).toEqual(before);
  });

  test.each([
    ['--no-store', ['--no-store'], read('multi-block')],
    ['what is no agent', [], 'hello\n'],
  ])('but not with %s', async (_name, args, input) => {
    const env = { GLASSBOX_STORE: newStore() };
    await glassbox(args, input, env);
    expect(existsSync(env.GLASSBOX_STORE)).toBe(false);
  });

  test('a store that fails is told once, and the pipe goes on', async () => {
    const store = path.join(import.meta.filename, 'store.db');
    const { stdout, stderr, status } = await glassbox(['--store', store], read('multi-block'));
    expect({ stdout, status }).toEqual({ stdout: printed, status: 0 });
    expect(stderr).toMatch(/^glassbox: this run is not kept\. The store .* cannot be opened [^\n]*\n$/);
  });
});

describe('S1-41 what is no agent', () => {
  test.each([
    ['text', 'hello\nworld'],
    ['JSON of somebody else', '{"level":"info"}\n{"level":"warn"}\n'],
    ['much JSON of somebody else', '{"level":"info"}\n'.repeat(100)],
    ['one long line', 'x'.repeat(20 * 2 ** 20)],
    ['bytes that are no UTF-8', 'caf\xe9\n'],
  ])('%s is passed through as it is, with a note', async (_name, input) => {
    const { stdout, stderr, status } = await glassbox([], Buffer.from(input, 'latin1'));
    expect(stdout === Buffer.from(input, 'latin1').toString('utf8')).toBe(true);
    expect(stderr).toContain('passed it through');
    expect(status).toBe(0);
  });

  const TOKEN = `ghp_${'a1B2c3D4'.repeat(5)}`;

  test.each([
    ['in a line', `clone with ${TOKEN} now\n`, 'clone with [redacted:github-token] now\n'],
    ['in a last line without its end', `token ${TOKEN}`, 'token [redacted:github-token]'],
    [
      'in JSON of somebody else',
      `{"level":"info","auth":"${TOKEN}"}\n`,
      '{"level":"info","auth":"[redacted:github-token]"}\n',
    ],
    ['among bytes that are no text', `caf\xe9 ${TOKEN} \xe9\n`, 'caf\xe9 [redacted:github-token] \xe9\n'],
  ])('but not its secrets: %s', async (_name, input, expected) => {
    const { stdout, status } = await glassbox([], Buffer.from(input, 'latin1'));
    expect({ stdout, status }).toEqual({ stdout: Buffer.from(expected, 'latin1').toString('utf8'), status: 0 });
  });

  test('nor those of the talk before a stream', async () => {
    const { stdout } = await glassbox([], `export GITHUB_TOKEN=${TOKEN}\n${read('multi-block')}`);
    expect(stdout).toBe(`export GITHUB_TOKEN=[redacted:github-token]\n${printed}`);
  });

  test('nor those of events that somebody else printed', async () => {
    const events = (await glassbox(['--json'], read('multi-block'))).stdout.replaceAll(
      'it said hi',
      `it said ${TOKEN}`,
    );
    for (const flags of [[], ['--json']]) {
      const { stdout } = await glassbox(flags, events);
      expect(stdout).toContain('it said [redacted:github-token]');
      expect(stdout).not.toContain(TOKEN);
    }
  });

  test('binary is refused', async () => {
    const { stdout, stderr, status } = await glassbox([], Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]));
    expect({ stdout, stderr, status }).toEqual({
      stdout: '',
      stderr: 'glassbox: The input is binary, not the stream of an agent.\n',
      status: 3,
    });
  });

  test('nothing at all is told', async () => {
    const { stdout, stderr, status } = await glassbox([], '');
    expect({ stdout, status }).toEqual({ stdout: '', status: 4 });
    expect(stderr).toContain('nothing came in');
  });

  test('--json stays JSON', async () => {
    const { stdout, stderr, status } = await glassbox(['--json'], 'hello\n');
    expect({ stdout, status }).toEqual({ stdout: '', status: 3 });
    expect(stderr).toContain('not the stream of an agent');
  });
});

describe('ends from outside', () => {
  test.each([
    ['SIGINT', 130, 'ended by the user'],
    ['SIGTERM', 143, 'glassbox was stopped'],
  ] as const)('%s: what is open is closed, status %i', async (signal, status, why) => {
    const env = { GLASSBOX_STORE: path.join(path.dirname(temporaryFile('x', '')), 'store.db') };
    const { child, printed: sees, ended } = start([], env);
    child.stdin.write(`${lines.slice(0, -1).join('\n')}\n`);
    await sees('"Done: it said hi."');
    child.kill(signal);
    const { stdout, ...rest } = await ended;
    expect(rest).toEqual({ status, signal: null, stderr: '' });
    expect(stdout.split('\n').at(-2)).toBe(`[claude] Interrupted: ${why}`);
    const [session] = (await glassbox(['sessions', '--json'], '', env)).stdout.split('\n');
    expect(JSON.parse(session ?? '')).toMatchObject({ state: 'ended', outcome: 'cancelled' });
  });

  test('the reader goes away: quiet, status 0', async () => {
    const { child, ended } = start(['--json']);
    child.stdout.destroy();
    child.stdin.write(`${lines.join('\n')}\n`.repeat(200));
    const { stderr, status } = await ended;
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  });
});
