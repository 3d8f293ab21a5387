/** glassbox itself at work with real agents, as a person has it: the built program, a store and settings of its own, a repository. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { git } from '../checkpoint/repository.js';
import { type Ended, type Started, start } from '../cli/glassbox.js';
import type { Stage } from './stage.js';

export interface AtWork {
  /** To its end. */
  glassbox(...args: string[]): Promise<Ended>;
  begin(...args: string[]): Started;
  /** What `git status` tells of the project. */
  status(): string;
  /** The one session that is kept. */
  session(): Promise<{ id: string; runs: unknown[] } & Record<string, unknown>>;
  readonly env: Record<string, string | undefined>;
}

/** The first stage is where it works; every agent is found by the settings. */
export function atWork(...stages: [Stage, ...Stage[]]): AtWork {
  const [{ sandbox }] = stages;
  const config = path.join(sandbox.folder, 'config.json');
  const programs = stages.map(({ agent, program, env }) => [agent, { program, env: defined(env) }]);
  writeFileSync(config, JSON.stringify({ agents: Object.fromEntries(programs), goOn: { jitterMs: 0 } }));
  git(sandbox.cwd, 'init', '-q', '-b', 'main');
  writeFileSync(sandbox.file('kept.txt'), 'kept\n');
  git(sandbox.cwd, 'add', '-A');
  git(sandbox.cwd, 'commit', '-q', '-m', 'first');
  const env = {
    ...sandbox.env,
    // Empty, as tests have it, it would be the project.
    CLAUDE_CONFIG_DIR: path.join(sandbox.home, '.claude'),
    GLASSBOX_CONFIG: config,
    GLASSBOX_STATE_DIR: path.join(sandbox.folder, 'state'),
    GLASSBOX_STORE: path.join(sandbox.folder, 'store.db'),
  };
  const begin = (...args: string[]) => start(args, env, sandbox.cwd);
  const glassbox = (...args: string[]) => {
    const { child, ended } = begin(...args);
    child.stdin.end();
    return ended;
  };
  return {
    env,
    begin,
    glassbox,
    status: () => git(sandbox.cwd, 'status', '--porcelain'),
    async session() {
      const { stdout } = await glassbox('sessions', '--json');
      const [line = ''] = stdout.trim().split('\n');
      return JSON.parse(line);
    },
  };
}

function defined(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
