/** A repository in which somebody works, a session, a comparison, a work tree and a comment: everything that commands change, put back before each of them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filesOf, git, ownOf, write } from '../checkpoint/repository.js';
import { environment } from '../cli/fake-run.js';
import { type Ended, glassbox, start } from '../cli/glassbox.js';
import { init, inSession, result, type Step } from '../fake-agent/lines.js';
import { FAKE_AGENT, scriptVariable, temporaryDirectory } from '../fake-agent/play.js';

export interface Stage {
  root: string;
  /** Names in commands: of the session, the attempt, the work tree, the commented text. */
  session: string;
  attempt: string;
  worktree: string;
  commented: string;
  /** What the agent does from now on. */
  play(script: readonly Step[]): void;
  ask(...args: string[]): Promise<Ended>;
  /** In a process of its own, with these variables. */
  act(args: readonly string[], env?: Record<string, string>): Promise<Ended>;
  /** Everything as it was when the stage was made. */
  restore(): void;
  look(): ReturnType<typeof lookAt>;
}

export async function makeStage(): Promise<Stage> {
  const place = path.join(temporaryDirectory(), 'place');
  const root = path.join(place, 'project');
  const config = path.join(place, 'config.json');
  const gate = path.join(place, 'gate');
  for (const folder of ['project', 'state', 'home']) mkdirSync(path.join(place, folder), { recursive: true });
  git(root, 'init', '-q', '-b', 'main');
  write(root, { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', '.gitignore': 'ignored\n' });
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'first');
  write(root, { 'c.txt': 'put aside\n' });
  git(root, 'stash');
  write(root, { 'c.txt': 'dirty\n', 'staged.txt': 's\n', 'mine.txt': 'mine\n', ignored: 'i\n' });
  git(root, 'add', 'staged.txt');
  const env = environment([], {
    GLASSBOX_CONFIG: config,
    GLASSBOX_STATE_DIR: path.join(place, 'state'),
    GLASSBOX_STORE: path.join(place, 'store.db'),
    HOME: path.join(place, 'home'),
  });
  const play = (script: readonly Step[]) => {
    const variables = { FAKE_AGENT_SCRIPT: scriptVariable(script) };
    writeFileSync(config, JSON.stringify({ agents: { claude: { program: FAKE_AGENT, env: variables } } }));
  };
  const ask = (...args: string[]) => glassbox(args, '', env, root);
  const act = (args: readonly string[], more: Record<string, string> = {}) =>
    start(args, { ...env, ...more }, root).ended;

  play([init(), { file: gate }, { files: { 'a.txt': 'agent\n', 'made.txt': 'm\n', 'b.txt': null } }, result('ok')]);
  const run = start(['run', 'claude', 'Change it', '--permission', 'deny'], env, root);
  while (git(root, 'for-each-ref', 'refs/glassbox') === '') await new Promise(setImmediate);
  writeFileSync(gate, '');
  await run.ended;
  const session: string = JSON.parse((await ask('sessions', '--json')).stdout.split('\n')[0] ?? '').id;
  const printed = (await ask('review', session, '--print')).stdout;
  const commented = path.join(place, 'review.txt');
  writeFileSync(commented, printed.replace('+agent\n', '+agent\n> Why?\n'));
  play(another('other', { 'd.txt': 'new\n' }));
  await ask('compare', 'Do it', '--agents', 'claude', '--permission', 'bypass');
  const compared: string = JSON.parse((await ask('comparisons', '--json')).stdout.split('\n')[0] ?? '').id;
  play(another('third', { 'w.txt': 'w\n' }));
  await ask('run', 'claude', 'There', '--worktree', '--permission', 'deny');
  const kept = (await ask('worktrees', '--json')).stdout.trim().split('\n');
  const names = kept.map((line) => JSON.parse(line) as { name: string; path: string });
  const worktree = names.find(({ path: folder }) => existsSync(path.join(folder, 'w.txt')))?.name ?? '';
  play([init(), { files: { 'e.txt': 'e\n' } }, result('ok')]);

  const saved = `${place}-saved`;
  execFileSync('cp', ['-a', place, saved]);
  const restore = () => {
    execFileSync('rm', ['-rf', place]);
    execFileSync('cp', ['-a', saved, place]);
  };
  const look = () => lookAt(root, path.join(place, 'state'));
  return { root, session, attempt: `${compared}/1`, worktree, commented, play, ask, act, restore, look };
}

/** A session of its own. */
const another = (id: string, files: Record<string, string>): Step[] => inSession(id, [init(), { files }, result('ok')]);

/** All that is the user's, and all that is glassbox's in the user's repository. */
function lookAt(root: string, state: string) {
  const { status = '', ...all } = ownOf(root);
  const own = Object.entries(all).filter(([name]) => !/\/worktrees\/|glassbox|packed-refs|ORIG_HEAD/.test(name));
  const lines = (text: string) => text.split('\n').filter(Boolean).sort();
  const records = readdirSync(path.join(state, 'worktrees')).filter((name) => name.endsWith('.json'));
  const kept = records
    .map((name) => JSON.parse(readFileSync(path.join(state, 'worktrees', name), 'utf8')))
    .filter(({ state: became }) => became === 'kept');
  return {
    files: filesOf(root),
    status,
    own: Object.fromEntries(own),
    locks: lines(
      execFileSync('find', [path.join(root, '.git'), '-name', '*.lock', '-o', '-name', 'locked'], { encoding: 'utf8' }),
    ),
    /** As git has them, and as glassbox knows of them. */
    branches: lines(git(root, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/glassbox')),
    worktrees: lines(git(root, 'worktree', 'list', '--porcelain').replace(/^(?!worktree ).*$/gm, '')).length - 1,
    kept: kept.map(({ branch }: { branch: string }) => branch).sort(),
    refs: lines(git(root, 'for-each-ref', '--format=%(refname)', 'refs/glassbox')),
  };
}
