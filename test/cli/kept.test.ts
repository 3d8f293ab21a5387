/** What is kept: runs as they happen, history that agents left, and the commands that look at both. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { formatAgo, parseMoment } from '../../src/cli/moment.js';
import { table } from '../../src/cli/table.js';
import { openStore } from '../../src/store/index.js';
import { createPaint } from '../../src/view/text/palette.js';
import { ask, init, result, text, toolUse } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { environment, fakeRun, openTerminal } from './fake-run.js';
import { glassbox } from './glassbox.js';

const projects = path.resolve('test/archive/recordings/projects');
const newStore = () => path.join(temporaryDirectory(), 'store.db');
const use = (store: string) => ({ GLASSBOX_STORE: store, HOME: temporaryDirectory() });

describe('an empty store teaches', () => {
  test.each([['sessions'], ['search', 'x'], ['cost']])('glassbox %s', async (...args) => {
    const { stdout, stderr, status } = await glassbox(args, '', use(newStore()));
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
    expect(stderr).toMatch(/there are no sessions yet\. glassbox run keeps .* glassbox import brings/);
  });

  test('an import without history says where it looked', async () => {
    const { stderr, status } = await glassbox(['import'], '', { ...use(newStore()), CLAUDE_CONFIG_DIR: '' });
    expect(status).toBe(0);
    expect(stderr).toMatch(/found no history in ~[/\\]\.claude[/\\]projects\. .*glassbox import FOLDER/);
  });
});

describe('history that was imported', () => {
  const store = newStore();
  const ask = (...args: string[]) => glassbox(args, '', use(store));

  beforeAll(async () => {
    const { stdout, stderr } = await ask('import', projects);
    expect(stdout).toMatch(/^Imported 6 sessions \(\d+ events\)\.\n$/);
    expect(stderr).toContain('see them with glassbox sessions');
  });

  test('a second import finds it unchanged', async () => {
    expect((await ask('import', projects)).stdout).toMatch(/^Imported 0 sessions .* 6 were there already\.\n$/);
    expect(JSON.parse((await ask('import', projects, '--json')).stdout)).toMatchObject({ schema: 1, unchanged: 6 });
  });

  test('glassbox sessions lists it', async () => {
    const { stdout } = await ask('sessions', 'banana');
    expect(stdout).toMatch(
      /^[2-9b-z]{6} {2}\S+.* claude {2}✔ finished {2}\$0\.0074 {2}\/repo {2}remember the word banana\n$/,
    );
  });

  test('for programs one JSON object a line', async () => {
    const { stdout } = await ask('sessions', '--json', '--limit', '3');
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records).toHaveLength(3);
    expect(records[0]).toMatchObject({ schema: 1, agent: 'claude', state: 'ended', runs: [{ agent: 'claude' }] });
  });

  test('a filter that fits nothing says so', async () => {
    const { stdout, stderr } = await ask('sessions', '--agent=codex');
    expect({ stdout, stderr }).toEqual({
      stdout: '',
      stderr: 'glassbox: no session is like that. glassbox sessions lists all.\n',
    });
  });

  test('glassbox search shows where the words are', async () => {
    const { stdout, stderr } = await ask('search', 'banana', '--color=always');
    expect(stdout).toContain('remember the word \x1b[1;33mbanana\x1b[22;39m');
    expect(stdout).toMatch(/and \d+ more/);
    expect(stderr).toBe('glassbox: 8 matches in 1 session.\n');
    const { stdout: json } = await ask('search', 'EACCES*', 'echo', '--json');
    expect(json).toBe('');
    const [hit] = JSON.parse(
      (await ask('search', 'from-sub', '--tool=Bash', '--json')).stdout.split('\n')[0] ?? '',
    ).hits;
    expect(hit).toMatchObject({ tool: 'Bash', field: expect.stringMatching(/input|output/) });
  });

  test('a search without a find gives a hint', async () => {
    expect((await ask('search', 'nowhere')).stderr).toBe(
      "glassbox: nothing found. Try a beginning: glassbox search 'nowh*'\n",
    );
    expect(await ask('search', '-x', '--', '-only')).toMatchObject({ status: 2 });
  });

  test('glassbox cost sums up, and says how sure it is', async () => {
    const { stdout } = await ask('cost', '--by=model');
    expect(stdout).toMatch(/^model +cost +input +output +sessions\n/);
    expect(stdout).toMatch(/^claude-opus-5-5 +\$0\.0260 +59K +181 +4 {2}█+$/m);
    expect(stdout).toMatch(/^claude-sonnet-4-20250514 +at least \$0\.0029 /m);
    expect(stdout).toMatch(/^all +at least \$0\.0377 /m);
    expect((await ask('cost', '--by=tool')).stdout).toMatch(/^Bash +about \$\d\.\d{4} +\S+ +\S+ +7 +1 /m);
    expect(JSON.parse((await ask('cost', '--json')).stdout)).toMatchObject({ by: 'day', sessions: 6 });
  });

  test('glassbox prune removes what was named, and needs to be told', async () => {
    const [first] = (await ask('sessions', '--json')).stdout.split('\n');
    const { id } = JSON.parse(first ?? '');
    expect((await ask('prune', id)).stdout).toMatch(/^Removed 1 session\. The rest takes 0\.\d MB\.\n$/);
    expect(await ask('prune', id)).toMatchObject({ status: 3, stderr: `glassbox: There is no session "${id}".\n` });
    expect((await ask('prune')).stderr).toContain('Say what may go');
    expect((await ask('prune', '--older-than=1000w')).stdout).toMatch(/^Removed 0 sessions\./);
  });
});

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
    const after = JSON.parse((await glassbox(['sessions', '--json'], '', env)).stdout);
    expect(after).toMatchObject({ id: session.id, runs: [{}, { resumedFrom: session.runs[0].runId }] });
    expect(after.spent).toEqual({ usd: 0.4, origin: 'reported' });
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
    expect(stderr).toMatch(/--resume/);
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
    await screen.shows('Allow?');
    const store = await openStore(env);
    const [waiting] = await waitFor(() => store.approvals());
    expect(waiting?.request).toMatchObject({ toolName: 'Bash', input });
    expect(await store.decide(waiting?.runId ?? '', waiting?.request.id ?? '', { type: 'approve', by: 'person' })).toBe(
      'accepted',
    );
    expect(await screen.ended).toBe(0);
    expect(screen.text()).toMatch(/kept as [2-9b-z]{6}\. Go on with: glassbox resume/);
    expect(await store.session('latest')).toMatchObject({ state: 'ended', outcome: 'finished' });
    await store.close();
  });
});

describe('how moments and tables are written', () => {
  const now = new Date(2026, 0, 31, 12).getTime();
  test.each([
    ['today', new Date(2026, 0, 31)],
    ['yesterday', new Date(2026, 0, 30)],
    ['2026-01-15', new Date(2026, 0, 15)],
    ['2026-01-15T10:30', new Date(2026, 0, 15, 10, 30)],
    ['24h', new Date(2026, 0, 30, 12)],
    ['7d', new Date(2026, 0, 24, 12)],
  ])('%s', (written, expected) => {
    expect(parseMoment(written, now)).toBe(expected.getTime());
  });

  test.each(['soon', '7', '31.1.2026', '2026-13-01'])('%s is no moment', (written) => {
    expect(() => parseMoment(written, now)).toThrow(/2026-01-31, today/);
  });

  test.each([
    [new Date(2026, 0, 31, 11, 59, 30), 'now'],
    [new Date(2026, 0, 31, 11, 15), '45 min ago'],
    [new Date(2026, 0, 31, 3), '9 h ago'],
    [new Date(2026, 0, 30, 23), 'yesterday'],
    [new Date(2026, 0, 28, 1), '3 days ago'],
    [new Date(2025, 11, 1), '2025-12-01'],
  ])('%s is %s', (at, expected) => {
    expect(formatAgo(at.getTime(), now)).toBe(expected);
  });

  test('columns are as wide as they must be, wide letters count, and the last is cut to the terminal', () => {
    const rows = [
      [{ text: 'a' }, { text: '1', right: true }, { text: 'a long line that does not fit' }],
      [{ text: '漢字' }, { text: '200', right: true }, { text: 'short' }],
    ];
    expect(table(rows, createPaint(false), 30)).toEqual(['a       1  a long line that d…', '漢字  200  short']);
  });
});

/** The run writes what it asks a moment after it shows it. */
async function waitFor<Item>(look: () => Promise<Item[]>): Promise<Item[]> {
  for (;;) {
    const found = await look();
    if (found.length > 0) return found;
  }
}
