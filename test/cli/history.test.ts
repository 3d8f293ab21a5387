/** The commands that read what is kept: an empty store, what was imported, and what they say about it. */
import { cpSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { stamp } from '../../src/store/conformance/events.js';
import { openStore } from '../../src/store/index.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { agentOfFolder } from '../support/recordings.js';
import { newStore } from './fake-run.js';
import { glassbox } from './glassbox.js';

const projects = path.resolve('test/archive/recordings/projects');
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
    expect(stderr).toMatch(
      /found no history in ~[/\\]\.claude[/\\]projects and \d+ other places where agents keep it\. .*glassbox import FOLDER/,
    );
  });

  test.each(['show', 'export'])('glassbox %s latest', async (command) => {
    const { stderr, status } = await glassbox([command, 'latest'], '', use(newStore()));
    expect(stderr).toMatch(/^glassbox: Nothing that could be shown is kept yet\. .*glassbox run.*glassbox import/);
    expect(status).toBe(3);
  });
});

test('an import reads a folder once that is named twice, also by a link', async () => {
  const home = temporaryDirectory();
  cpSync(projects, path.join(home, '.claude', 'projects'), { recursive: true });
  symlinkSync(path.join(home, '.claude'), path.join(home, 'link'));
  for (const folder of ['.claude', '.claude/', 'link']) {
    const env = { GLASSBOX_STORE: newStore(), HOME: home, CLAUDE_CONFIG_DIR: `${home}/${folder}` };
    expect((await glassbox(['import'], '', env)).stdout).toMatch(/^Imported 6 sessions \(\d+ events\)\.\n$/);
  }
});

test('an import brings in what every agent left, and a second one nothing', async () => {
  const env = { ...use(newStore()), CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', XDG_DATA_HOME: '', COPILOT_HOME: '' };
  const homes = path.resolve('test/archive/recordings/homes');
  const left = readdirSync(homes).filter((agent) => agent !== 'opencode');
  const there = new Set<string>();
  for (const agent of left)
    for (const name of readdirSync(path.join(homes, agent))) {
      cpSync(path.join(homes, agent, name, 'home'), env.HOME, { recursive: true });
      // The database of the next home takes the place of the last one's.
      there.add(agent === 'kilo' ? agent : `${agent}/${name}`);
    }
  const { stdout: imported } = await glassbox(['import'], '', env);
  expect(imported).toMatch(new RegExp(`^Imported ${there.size} sessions \\(\\d+ events\\)\\.\n$`));
  const { stdout: again } = await glassbox(['import'], '', env);
  expect(again).toMatch(new RegExp(` ${there.size} were there already\\.\n$`));
  const { stdout } = await glassbox(['sessions', '--json'], '', env);
  const agents = new Set(
    stdout
      .trim()
      .split('\n')
      .flatMap((line) => JSON.parse(line).agent ?? []),
  );
  expect(agents.size).toBe(new Set(left.map(agentOfFolder)).size);
});

test('cost knows what nobody imported, by its figures first, and then it is imported', async () => {
  const env = { ...use(newStore()), CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', XDG_DATA_HOME: '', COPILOT_HOME: '' };
  cpSync(projects, path.join(env.HOME, '.claude', 'projects'), { recursive: true });
  expect((await glassbox(['cost', '--kept'], '', env)).stdout).toBe('');
  const { stdout, stderr, status } = await glassbox(['cost', '--by=model'], '', env);
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr:
      'glassbox: of 4 sessions only the figures were read. To see and search them: glassbox import, or leave glassbox serve running.\n',
  });
  expect(stdout).toMatch(/^all +at least \$0\.0377 /m);
  expect((await glassbox(['import'], '', env)).stdout).toMatch(/^Imported 4 sessions .* 2 were there already\.\n$/);
  expect(await glassbox(['cost', '--by=model'], '', env)).toMatchObject({ stdout, stderr: '' });
});

describe('an import of what somebody named', () => {
  test('fails where nothing is, and says what to name', async () => {
    for (const flags of [[], ['--json']]) {
      const { stdout, stderr, status } = await glassbox(['import', 'nowhere', ...flags], '', use(newStore()));
      expect({ stdout, status }).toEqual({ stdout: '', status: 3 });
      expect(stderr).toMatch(/^glassbox: There is no folder nowhere\. Name the folder .*\n$/);
    }
  });

  test('fails for a file, and says how to see it', async () => {
    const { stdout, stderr, status } = await glassbox(['import', 'package.json'], '', use(newStore()));
    expect({ stdout, status }).toEqual({ stdout: '', status: 3 });
    expect(stderr).toMatch(/^glassbox: package\.json is a file.* glassbox show package\.json\n$/);
  });

  test('does not fail for a folder without history', async () => {
    const { stderr, status } = await glassbox(['import', temporaryDirectory()], '', use(newStore()));
    expect(stderr).toContain('found no history in');
    expect(status).toBe(0);
  });
});

test('glassbox search says whose words they are', async () => {
  const env = use(newStore());
  const store = await openStore(env.GLASSBOX_STORE);
  const answers = { 'or not': 'quokka' };
  const said: Parameters<typeof stamp>[1] = [
    { type: 'user-message', text: 'quokka' },
    { type: 'text-end', messageId: 'm', index: 0, text: 'quokka' },
    { type: 'approval-request', id: 'q', kind: 'question', title: 'quokka' },
    { type: 'approval-resolve', id: 'q', decision: 'answer', by: 'person', answers },
    { type: 'agent-error', category: 'unknown', message: 'quokka', fatal: false },
    { type: 'tool-end', id: 't', name: 'Bash', status: 'ok', output: 'quokka' },
  ];
  for (const [index, event] of said.entries()) await store.append(stamp({ runId: `r${index}` }, [event]));
  await store.close();
  const { stdout } = await glassbox(['search', 'quokka', '--newest'], '', env);
  const labels = [...stdout.matchAll(/^ {4}(\S+(?: \S+)?) {2}quokka$/gm)].map(([, label]) => label);
  expect(labels.sort()).toEqual(['Bash output', 'answer', 'error', 'prompt', 'question', 'text']);
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
      /^[2-9b-z]{6} {2}\S+.* claude {2}✔ finished +\S+ s {2}\$0\.0074 {2}\S+ +\/repo +remember the word banana\n$/,
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
    expect(stdout).toMatch(/^model +cost +input +cache read +cache write +output +sessions\n/);
    expect(stdout).toMatch(/^claude-opus-5-5 +about \$0\.0260 +59K +\S+ +\S+ +181 +4 {2}█+$/m);
    expect(stdout).toMatch(/^claude-sonnet-4-20250514 +at least \$0\.0029 /m);
    expect(stdout).toMatch(/^all +at least \$0\.0377 /m);
    const byTool = (await ask('cost', '--by=tool')).stdout;
    expect(byTool).toMatch(/^Bash +at least \$\d\.\d{4} +~\S+ +~\S+ +~\S+ +~\S+ +7 +1 /m);
    expect(byTool).toMatch(/^all +at least \$0\.0377 +87K +\S+ +\S+ +253 +13 +2$/m);
    expect(JSON.parse((await ask('cost', '--json')).stdout)).toMatchObject({ by: 'day', sessions: 6 });
  });

  test('glassbox delete and prune remove nothing for somebody inside a run', async () => {
    const ids = async () => [...(await ask('sessions', '--json')).stdout.matchAll(/^\{"schema":1,"id":"(\w+)"/gm)];
    const [first] = await ids();
    for (const words of [
      ['delete', first?.[1] ?? ''],
      ['prune', '--max-size=1KB'],
    ]) {
      const inside = await glassbox([...words, '--yes'], '', { ...use(store), GLASSBOX_RUN_ID: 'r1' });
      expect(inside).toMatchObject({ status: 3, stderr: expect.stringContaining('delete sessions from inside a run') });
    }
    expect(await ids()).toHaveLength(6);
  });

  test('glassbox delete and prune remove only what somebody meant', async () => {
    const [first] = (await ask('sessions', '--json')).stdout.split('\n');
    const { id } = JSON.parse(first ?? '');
    const refused = await ask('delete', id);
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('There is no terminal to ask on') });
    expect((await ask('delete', id, '--dry-run')).stdout).toContain('Would delete 1 session. Nothing was changed.');
    expect((await ask('delete', id, id.slice(0, 4), '--yes')).stdout).toContain('Deleted 1 session.');
    expect(await ask('delete', id, '--yes')).toMatchObject({ status: 3, stdout: '' });
    expect(await ask('prune')).toMatchObject({ status: 2, stderr: expect.stringContaining('Say what may go') });
    expect((await ask('prune', '--older-than=1000w')).stdout).toMatch(/^Nothing to remove\. Everything takes \d+ KB/);
    const { stdout } = await ask('prune', '--max-size=1KB', '--dry-run');
    expect(stdout).toContain('Would remove 5 sessions');
    expect((await ask('prune', '--max-size=1KB')).status).toBe(2);
    expect((await ask('sessions', '--json')).stdout.trim().split('\n')).toHaveLength(5);
  });

  test('glassbox rename, pin and archive say what a session is called, keep it and put it away', async () => {
    const [first] = (await ask('sessions', '--json')).stdout.trim().split('\n').reverse();
    const { id, title } = JSON.parse(first ?? '');
    expect((await ask('rename', id, 'Login,', 'second \u202etry')).stdout).toBe(
      `${id} is called Login, second \ufffdtry.\n`,
    );
    expect(await ask('rename', id, 'Other')).toMatchObject({ status: 2 });
    expect((await ask('rename', id, 'Other', '--dry-run')).stdout).toContain(
      `Would call ${id} Other, instead of Login`,
    );
    expect((await ask('pin', id, '--dry-run')).stdout).toBe(`Would pin ${id}. Nothing was changed.\n`);
    expect((await ask('pin', id)).stdout).toBe(`Pinned ${id}.\n`);
    expect((await ask('sessions')).stdout).toMatch(new RegExp(`^${id} .* ★ Login, second`));
    expect((await ask('sessions', '--pinned')).stdout.trim().split('\n')).toHaveLength(1);
    expect((await ask('prune', '--max-size=1KB', '--yes')).stdout).toContain('Removed 4 sessions.');
    expect((await ask('rename', id, '--yes')).stdout).toContain(title);
    expect(await ask('pin', id, '--off')).toMatchObject({ status: 2 });
    expect((await ask('pin', id, '--off', '--yes')).stdout).toBe(`No longer pinned: ${id}.\n`);
    expect((await ask('sessions', '--pinned')).stdout).toBe('');
    expect((await ask('archive', id, id.slice(0, 5))).stdout).toBe(
      `Archived ${id}. glassbox sessions --archived lists what is put away.\n`,
    );
    expect((await ask('archive', id)).stdout).toBe(`${id}: archived already.\n`);
    expect((await ask('sessions')).stdout).toBe('');
    expect((await ask('sessions', '--archived')).stdout).toContain(id);
    expect((await ask('archive', id, '--off')).stdout).toBe(`Back among the others: ${id}.\n`);
    expect((await ask('sessions')).stdout).toContain(id);
  });
});
