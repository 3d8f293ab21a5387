/**
 * Every command that the documents tell people to type is run as it stands there, against a scripted agent in a home of its own: by a shell where
 * it has more than words for a shell to read or goes on, else by a program that is loaded once.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { draw } from '../../scripts/random.mjs';
import { glassbox } from '../cli/glassbox.js';
import { answer, init, printed, result, text, toolResult, toolUse } from '../fake-agent/lines.js';
import { FAKE_AGENT, scriptVariable, temporaryDirectory } from '../fake-agent/play.js';

const DOCUMENTS = [
  'README.md',
  ...['getting-started', 'panels', 'stores', 'agents', 'cost'].map((name) => `docs/${name}.md`),
];

interface Play {
  /** What a test adds, so that nothing is taken from the person who runs it and nothing takes long. */
  more?: string;
  /** Default 0. */
  status?: number;
  tells: string | RegExp;
  /** It runs until Ctrl-C; sent when it has told. */
  stays?: true;
}

const ran: Play = { tells: 'DONE' };
/** Whether that turn was piped or run in the home. */
const NOT_KEPT = /^glassbox: The files .*not kept/;

/** By the command as it is written. `k7qd` is the id of a session there, and of a real one here. */
const PLAYED: Record<string, Play> = {
  'npm pack': { more: '--ignore-scripts --loglevel=error --pack-destination "$SANDBOX" "$REPOSITORY"', tells: /\.tgz/ },
  'npm install -g ./glassbox-0.1.0.tgz': { tells: /added 1 package/ },
  'npm install ./glassbox-0.1.0.tgz': { tells: /added 1 package/ },
  'claude -p "Fix the failing test" --output-format stream-json --verbose | glassbox': { tells: '[claude] Complete' },
  'glassbox help exit-status': { tells: 'Exit status' },
  'glassbox --help': { tells: 'glassbox help <command>' },
  'glassbox help run': { tells: '--model <name>' },
  'glassbox help completion': { tells: 'zsh' },
  "echo 'source <(glassbox completion bash)' >> ~/.bashrc": { tells: '' },
  'glassbox demo': { more: '--speed 50', tells: '[claude] Complete' },
  'glassbox init': { more: '--yes --agent claude', tells: 'Try it: glassbox run' },
  'glassbox config': { tells: 'permission' },
  'glassbox run "Fix the failing test"': ran,
  'glassbox doctor': { tells: 'npm install -g @openai/codex' },
  'glassbox conform': { more: '--case lines/b', tells: 'glassbox' },
  'glassbox show run.jsonl --verbose': { tells: 'flaky login' },
  'glassbox replay run.jsonl --speed 4': { tells: '[claude] Complete' },
  'glassbox show k7qd': { tells: '[claude] Complete' },
  'glassbox show latest --verbose': ran,
  'glassbox sessions': { tells: 'claude' },
  'glassbox ps': { tells: '' },
  'glassbox next': { tells: 'no agent waits' },
  'glassbox search flaky login': { tells: 'login' },
  'glassbox search failing test': { tells: 'test' },
  'glassbox cost --by project': { tells: '$' },
  'glassbox cost': { tells: '$' },
  'glassbox cost --by cause': { tells: 'prompts' },
  'glassbox cost --by session --since 7d': { tells: 'title' },
  'glassbox cost --by week --json': { tells: '"comparison"' },
  'glassbox cost --by agent': { tells: 'claude' },
  'glassbox run claude "Fix the failing test"': ran,
  'glassbox run claude "Fix the failing test" --permission plan': ran,
  'glassbox run claude "Fix the failing test" --budget 2 --timeout 10m': ran,
  'glassbox run claude "Fix the failing test" --verbose': ran,
  'glassbox run claude "Fix the failing test" --json': { tells: '"type":"run-end"' },
  'glassbox loop claude "…" --until DONE': ran,
  'glassbox resume k7qd "And now the docs"': ran,
  'glassbox resume "And now the docs"': ran,
  'glassbox open': { more: '--print', tells: 'claude --resume' },
  'glassbox run claude "…" --worktree': { status: 2, tells: 'in no git repository' },
  'glassbox run claude "…" --go-on': ran,
  'glassbox fork k7qd@2 --agent codex': { status: 3, tells: NOT_KEPT },
  'glassbox compare "…" --agents claude,codex': { status: 2, tells: '--permission' },
  'glassbox rewind k7qd@2': { status: 3, tells: NOT_KEPT },
  'glassbox review k7qd': { status: 3, tells: 'not kept on this machine' },
  'glassbox why src/app.ts:42': { status: 3, tells: 'could not be read' },
  'glassbox open k7qd': { more: '--print', tells: 'claude --resume' },
  'glassbox export k7qd --output review.md': { tells: 'review.md' },
  'glassbox export latest --output run.md': { tells: 'run.md' },
  'glassbox import': { tells: '' },
  'glassbox hooks install': { more: '--dry-run', tells: '"PermissionRequest"' },
  'glassbox tui': { status: 2, tells: 'need a terminal' },
  'glassbox watch --all': { tells: 'watching the agents', stays: true },
  'glassbox serve': { more: '--port 0', tells: /#login=/, stays: true },
  'glassbox prune --older-than 90d': { tells: 'Nothing to remove' },
  'glassbox prune --max-size 2GB': { tells: 'Nothing to remove' },
  'glassbox rename k7qd "Login, second try"': { tells: 'is called Login' },
  'glassbox pin k7qd': { tells: 'Pinned' },
  'glassbox archive k7qd': { tells: 'Archived' },
  'glassbox delete k7qd': { more: '--dry-run', tells: 'Would delete 1 session' },
  'glassbox run acp "Fix the failing test" --program copilot --arg=--acp': { status: 127, tells: 'copilot' },
};

/** Not run here: the first are this test's own surroundings or take long, the others need a registry that has glassbox. */
const SCRIPTS = ['npm start', 'npm test', 'npm run test:agents', 'npm run bench'];
const PUBLISHED = ['npm install -g glassbox', 'npm install glassbox'];

const written = [...new Set(DOCUMENTS.flatMap((file) => commandsIn(readFileSync(file, 'utf8'))))];

test('every command in the documents is played, and none that is not there', () => {
  expect(written.sort()).toEqual([...Object.keys(PLAYED), ...SCRIPTS, ...PUBLISHED].sort());
});

test('the scripts that are named are there', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(SCRIPTS.map((script) => script.split(' ').at(-1) ?? '').filter((name) => !(name in scripts))).toEqual([]);
});

test('a command in a block, in a table or in a sentence is seen', () => {
  const document = '```sh\nglassbox one   # why\n```\n| `glassbox two --x` | |\nor `glassbox three`; not `glassbox`.\n';
  expect(commandsIn(document)).toEqual(['glassbox one', 'glassbox two --x', 'glassbox three']);
});

describe('played', () => {
  const sandbox = temporaryDirectory();
  const bin = path.join(sandbox, 'bin');
  let id = '';
  const env = {
    PATH: `${bin}:${path.dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: sandbox,
    SANDBOX: sandbox,
    REPOSITORY: process.cwd(),
    NO_COLOR: '1',
    GLASSBOX_STORE: path.join(sandbox, 'store.db'),
    GLASSBOX_STATE_DIR: path.join(sandbox, 'state'),
    GLASSBOX_CONFIG: path.join(sandbox, 'glassbox.json'),
    GLASSBOX_SURVIVOR_GRACE_MS: '100',
    FAKE_AGENT_SCRIPT: scriptVariable(answer('DONE')),
    // What is packed here is installed without asking a registry, into the sandbox.
    npm_config_prefix: path.join(sandbox, 'global'),
    npm_config_cache: path.join(sandbox, 'cache'),
    npm_config_omit: 'optional',
    npm_config_offline: 'true',
  };

  beforeAll(async () => {
    mkdirSync(bin);
    mkdirSync(path.join(sandbox, '.claude'));
    executable('glassbox', `exec '${process.execPath}' '${path.resolve('dist/cli.js')}' "$@"`);
    executable('claude', `exec '${process.execPath}' '${FAKE_AGENT}' "$@"`);
    writeFileSync(path.join(sandbox, 'package.json'), '{ "private": true }');
    const script = [
      init(),
      toolUse('t1', 'Read', { file_path: 'login.ts' }),
      toolResult('t1', 'flaky login, failing test'),
      text('DONE'),
      result('DONE'),
    ];
    writeFileSync(path.join(sandbox, 'run.jsonl'), printed(...script));
    await shell('glassbox < run.jsonl', {});
    id = JSON.parse((await shell('glassbox sessions --json', {})).output.split('\n')[0] ?? '').id;
  });

  /** Both take the same package, and npm most of the time of this file: the commit draws one. */
  const installs = Object.keys(PLAYED).filter((command) => /^npm install .*\.tgz$/.test(command));
  const left = draw(installs, installs.length - 1, process.env.GLASSBOX_TEST_SEED ?? '');
  const all = Object.entries(PLAYED).filter(([command]) => !left.includes(command));
  const order = all.toSorted(([a], [b]) => Number(a.includes('<id>')) - Number(b.includes('<id>')));

  test.each(order)('%s', async (command, play) => {
    const line = `${command.replace(/k7qd|<id>/, id)} ${play.more ?? ''}`;
    const { status, output } = await (wordsOf(line) && !play.stays ? said(line) : shell(line, play));
    if (typeof play.tells === 'string') expect(output).toContain(play.tells);
    else expect(output).toMatch(play.tells);
    expect(status, output).toBe(play.status ?? 0);
  });

  function executable(name: string, line: string): void {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${line}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }

  async function said(line: string) {
    const { status, stdout, stderr } = await glassbox(wordsOf(line) ?? [], '', env, sandbox);
    return { status, output: stdout + stderr };
  }

  function shell(command: string, { stays, tells = '' }: Partial<Play>) {
    const line = `${stays ? 'exec ' : ''}${command}`;
    const child = spawn('/bin/sh', ['-c', line], { cwd: sandbox, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let told = false;
    const hear = (chunk: Buffer): void => {
      output += chunk.toString();
      // Twice would not wait for the end.
      if (stays && !told && new RegExp(tells).test(output)) told = child.kill('SIGINT');
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    return new Promise<{ status: number | null; output: string }>((resolve) => {
      child.on('close', (status) => resolve({ status, output }));
    });
  }
});

/** What a shell would make of it, if it is glassbox and nothing but words. */
function wordsOf(line: string): string[] | undefined {
  const [program, ...words] = line.match(/"[^"]*"|[^\s"]+/g) ?? [];
  const isPlain = program === 'glassbox' && !/[|<>$`'~()&;\\]/.test(line);
  return isPlain ? words.map((word) => word.replace(/^"(.*)"$/, '$1')) : undefined;
}

/** Lines of `sh` blocks without their remarks, and what stands in backticks and begins with a program of ours. */
function commandsIn(document: string): string[] {
  const block = /^```sh\n(.*?)^```$/gms;
  const lines = [...document.matchAll(block)].flatMap(([, code = '']) => code.trim().split('\n'));
  const rest = document.replace(/^```.*?^```$/gms, '');
  const inline = [...rest.matchAll(/`((?:glassbox|npm) [^`]+)`/g)].map(([, command = '']) => command);
  return [...lines.map((line) => line.replace(/\s+#.*/, '')), ...inline];
}
