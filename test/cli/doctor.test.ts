import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDuration } from '../../src/cli/flag/parse-duration.js';
import { init, result, say } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';
import { environment, fakeRun } from './fake-run.js';
import { glassbox } from './glassbox.js';

/** A machine on which only these programs are on PATH. */
function machine(programs: Record<string, string>): Record<string, string> {
  const bin = path.join(temporaryDirectory(), 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, path.join(bin, 'node'));
  for (const [name, target] of Object.entries(programs)) symlinkSync(target, path.join(bin, name));
  return environment([], { PATH: bin, HOME: temporaryDirectory() });
}

describe('glassbox doctor', () => {
  test('names a program once, also where its version has the name too', async () => {
    const program = path.join(temporaryDirectory(), 'claude.mjs');
    writeFileSync(program, "#!/usr/bin/env node\nconsole.log('2.1.3 (Claude Code)');\n", { mode: 0o755 });
    const { stdout } = await glassbox(['doctor'], '', machine({ claude: program }));
    expect(stdout).toMatch(/^✔ claude {2}Claude Code 2\.1\.3$/m);
  });

  test('tells what is installed, its version and what it can do', async () => {
    const { stdout, status } = await glassbox(['doctor'], '', machine({ claude: FAKE_AGENT }));
    expect(stdout).toMatch(
      /^✔ claude {2}Claude Code 9\.9\.9 \(Fake Agent\)\n {4}at .*\/claude\n {4}runs headless here: yes\n {4}can: deltas, .*approvals/m,
    );
    expect(stdout).toMatch(/^ {4}codex {5}npm install -g @openai\/codex$/m);
    expect(stdout).toMatch(/^ {4}acp {7}Name the program .*--program.*\n/m);
    expect(stdout).toMatch(
      /^glassbox \d+\.\d+\.\d+, Node \d+\.\d+\.\d+, \S+ \S+\n✔ claude ready to run; nothing is wrong\.\n✔ store .*store\.db, made by the first run\n/,
    );
    // What is well comes first, and not to have an agent is no fault.
    expect(stdout.indexOf('✔ claude  ')).toBeLessThan(stdout.indexOf('Not installed'));
    expect(stdout).not.toContain('✖');
    expect(stdout).not.toContain('no package');
    expect(stdout).toContain('none: every default');
    expect(status).toBe(0);
  });

  test('the table of capabilities is that of the README', async () => {
    const { stdout } = await glassbox(['doctor'], '', machine({}));
    const own = stdout.split('What glassbox can do with each agent\n')[1]?.split('\n\n')[0]?.split('\n') ?? [];
    const cellsOf = (line: string) => line.trim().split(/ {2,}/);
    const rows =
      readFileSync('README.md', 'utf8').split('<!-- agents -->\n')[1]?.split('\n<!-- end -->')[0]?.split('\n') ?? [];
    const [head = [], , ...agents] = rows.map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    expect(own.map(cellsOf)).toEqual([
      head.slice(1),
      ...agents.map(([agent = '', ...cells]) => [/`(.*)`/.exec(agent)?.[1], ...cells]),
    ]);
    expect(agents.length).toBeGreaterThan(10);
  });

  test('U-2.4 --verbose adds the capability ids of the universal API', async () => {
    const { stdout } = await glassbox(['doctor', '--verbose'], '', machine({ claude: FAKE_AGENT }));
    expect(stdout).toMatch(/^ {4}agent_api\.events\.live$/m);
  });

  test('values of variables are not printed', async () => {
    const file = path.join(temporaryDirectory(), 'mine.json');
    writeFileSync(file, JSON.stringify({ agents: { claude: { env: { TOKEN: 'hunter2' } } } }));
    for (const flags of [[], ['--json']]) {
      const { stdout } = await glassbox(['doctor', ...flags], '', { ...machine({}), GLASSBOX_CONFIG: file });
      expect(stdout).toContain('TOKEN');
      expect(stdout).not.toContain('hunter2');
    }
  });

  test('nothing secret is printed, neither of a setting nor of what a program says', async () => {
    const token = `ghp_${'a1B2c3D4'.repeat(5)}`;
    const talker = path.join(temporaryDirectory(), 'talker');
    writeFileSync(talker, `#!/bin/sh\necho version 1 of ${token}\n`, { mode: 0o755 });
    const file = path.join(temporaryDirectory(), 'mine.json');
    writeFileSync(file, JSON.stringify({ agents: { claude: { args: ['--token', token] } } }));
    for (const flags of [[], ['--json']]) {
      const env = { ...machine({ claude: talker }), GLASSBOX_CONFIG: file };
      const { stdout } = await glassbox(['doctor', ...flags], '', env);
      expect(stdout.match(/\[redacted:github-token\]/g)?.length).toBeGreaterThan(1);
      expect(stdout).not.toContain(token);
    }
  });

  test('127 when there is no agent at all', async () => {
    const { status, stdout } = await glassbox(['doctor'], '', machine({}));
    expect(status).toBe(127);
    expect(stdout).toContain('\n✖ no agent is installed.\n');
  });

  test('a program that does not answer is told as such', async () => {
    const broken = path.join(temporaryDirectory(), 'broken');
    writeFileSync(broken, '#!/bin/sh\nexit 1\n');
    chmodSync(broken, 0o755);
    const { stdout } = await glassbox(['doctor'], '', machine({ claude: broken }));
    expect(stdout).toMatch(/✖ claude {2}Claude Code: does not answer/);
    expect(stdout).toContain('claude: no answer');
  });

  describe('drift', () => {
    const store = () => path.join(temporaryDirectory(), 'store.db');
    const novel = say({ type: 'system', subtype: 'from_the_future', session_id: 's' });
    const script = [
      init({ claude_code_version: '9.9', new_field: 'secret' }),
      novel,
      say({ type: 'novel' }),
      novel,
      result('x'),
    ];

    test('what the agent printed that is not known is counted by its version, and the next step is told', async () => {
      const env = { ...machine({ claude: FAKE_AGENT }), GLASSBOX_STORE: store() };
      await fakeRun(['run', 'claude', 'x'], script, { env: { GLASSBOX_STORE: env.GLASSBOX_STORE } });
      const { stdout, status } = await glassbox(['doctor'], '', env);
      expect(stdout).toContain(
        '    claude 9.9: 2 kinds of line: system/from_the_future (2×), novel (1×); 1 field: system/init new_field (in 1 run)\n',
      );
      expect(stdout).toContain('npm install -g glassbox@latest');
      expect(stdout).toMatch(/^✔ store .*store\.db, \d+ KB$/m);
      expect(status).toBe(0);
      const { drift } = JSON.parse((await glassbox(['doctor', '--json'], '', env)).stdout);
      expect(drift.items).toMatchObject([
        { agent: 'claude', agentVersion: '9.9', kind: 'system/from_the_future', count: 2, runs: 1 },
        { kind: 'novel', count: 1 },
        { kind: 'system/init', field: 'new_field', count: 1 },
      ]);
      expect(stdout).not.toContain('secret');
    });

    test('what came through a pipe is counted too', async () => {
      const env = { ...machine({}), GLASSBOX_STORE: store() };
      const line = { type: 'system', subtype: 'init', session_id: 's', claude_code_version: '9.8', new_field: 1 };
      await glassbox([], `${JSON.stringify(line)}\n{"type":"novel"}\n`, env);
      const { stdout } = await glassbox(['doctor'], '', env);
      expect(stdout).toContain('claude 9.8: 1 kind of line: novel (1×); 1 field: system/init new_field (in 1 run)\n');
    });

    test('without a store there is nothing to tell, and none is made', async () => {
      const file = store();
      const { stdout } = await glassbox(['doctor', '--store', file], '', machine({ claude: FAKE_AGENT }));
      expect(stdout).toMatch(/does not know, in the last 30 days\n {4}nothing\n/);
      expect(existsSync(file)).toBe(false);
    });

    test('a store that cannot be read is told, and the rest is examined', async () => {
      const file = store();
      writeFileSync(file, 'this is no database, but long enough to be looked at as one'.repeat(20));
      const { stdout, status } = await glassbox(['doctor', '--store', file], '', machine({ claude: FAKE_AGENT }));
      expect(stdout).toMatch(/^✖ store .*store\.db/m);
      expect(stdout).toContain('✖ claude ready to run; the store cannot be used.');
      expect(stdout).toContain('Configuration, as it would be used here');
      expect(status).toBe(3);
    });
  });

  test('decision 17 prints the merged configuration and where it comes from; 2 when it makes no sense', async () => {
    const file = path.join(temporaryDirectory(), 'mine.json');
    writeFileSync(file, '{"timeoutMs":5,"colour":"red"}');
    const env = { ...machine({ claude: FAKE_AGENT }), GLASSBOX_CONFIG: file, GLASSBOX_MODEL: 'm' };
    const { stdout, status } = await glassbox(['doctor'], '', env);
    expect(stdout).toContain('from environment: model');
    expect(stdout).toContain(`from ${file}: timeoutMs`);
    expect(stdout).toContain('"timeoutMs": 5');
    expect(stdout).toMatch(/✖ .*mine\.json: colour is not known/);
    expect(status).toBe(2);
    const { stdout: json } = await glassbox(['doctor', '--json'], '', env);
    expect(JSON.parse(json)).toMatchObject({ configuration: { settings: { model: 'm', timeoutMs: 5 } } });
  });
});

test.each([
  ['90', 90_000],
  ['90s', 90_000],
  ['10m', 600_000],
  ['1.5h', 5_400_000],
  ['500ms', 500],
])('a time of %s is %i ms', (text, ms) => expect(parseDuration(text)).toBe(ms));

test.each(['soon', '', '-5', '5 minutes', '1d'])('%j is no time', (text) =>
  expect(() => parseDuration(text)).toThrow(SyntaxError),
);
