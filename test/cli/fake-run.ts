/** The command line with the fake agent in place of a real one. */
import path from 'node:path';
import { spawn as spawnTerminal } from '@lydell/node-pty';
import type { Step } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';
import { CLI, type Ended, glassbox, type Started, start } from './glassbox.js';

export interface Setting {
  env?: Record<string, string>;
  input?: string;
  cwd?: string;
}

/** No file of the person who runs the tests may have a say. */
export function environment(script: readonly Step[], env: Record<string, string> = {}): Record<string, string> {
  return {
    FAKE_AGENT_SCRIPT: JSON.stringify(script),
    GLASSBOX_CONFIG: path.join(temporaryDirectory(), 'none.json'),
    GLASSBOX_STATE_DIR: temporaryDirectory(),
    GLASSBOX_STORE: path.join(temporaryDirectory(), 'store.db'),
    ...env,
  };
}

const common = (cwd: string = temporaryDirectory()): string[] => ['--program', FAKE_AGENT, '--cwd', cwd];

export function fakeRun(
  args: readonly string[],
  script: readonly Step[],
  { env, input = '', cwd }: Setting = {},
): Promise<Ended> {
  return glassbox([...args, ...common(cwd)], input, environment(script, env));
}

export function startFakeRun(args: readonly string[], script: readonly Step[]): Started {
  return start([...args, ...common()], environment(script));
}

export interface Screen {
  /** Settles once this is on the screen. */
  shows(text: string | RegExp): Promise<void>;
  type(keys: string): void;
  /** Everything that was ever written to the screen. */
  text(): string;
  ended: Promise<number>;
}

/** The same in a real terminal. */
export function openTerminal(args: readonly string[], script: readonly Step[], { env, cwd }: Setting = {}): Screen {
  const terminal = spawnTerminal(process.execPath, [CLI, ...args, ...common(cwd)], {
    cols: 120,
    rows: 40,
    env: { ...process.env, ...environment(script, env), NO_COLOR: '1' },
  });
  let text = '';
  const looks = new Set<() => void>();
  terminal.onData((data) => {
    text += data;
    for (const look of looks) look();
  });
  const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  return {
    shows(wanted) {
      return new Promise((resolve, reject) => {
        const look = () => {
          if (!(typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text))) return;
          looks.delete(look);
          resolve();
        };
        looks.add(look);
        look();
        void ended.then(() => reject(new Error(`it ended without showing ${wanted}:\n${text}`)));
      });
    },
    type: (keys) => terminal.write(keys),
    text: () => text,
    ended,
  };
}
