/** The command line with the fake agent in place of a real one. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { spawn as spawnTerminal } from '@lydell/node-pty';
import { expect, onTestFinished } from 'vitest';
import type { Step } from '../fake-agent/lines.js';
import { FAKE_AGENT, scriptVariable, temporaryDirectory } from '../fake-agent/play.js';
import { CLI, type Ended, glassbox, nobodysHome, type Started, start, temporaryFile } from './glassbox.js';

export interface Setting {
  /** Of the terminal. */
  columns?: number;
  env?: Record<string, string>;
  input?: string;
  cwd?: string;
  /** A file for its standard input. */
  from?: string;
  /** Of the terminal, too. */
  rows?: number;
  /** A command that starts no agent. */
  isAlone?: boolean;
}

/** Where nothing is kept yet. */
export const newStore = (): string => path.join(temporaryDirectory(), 'store.db');

/** No file of the person who runs the tests may have a say. */
export function environment(script: readonly Step[], env: Record<string, string> = {}): Record<string, string> {
  return {
    ...nobodysHome(temporaryDirectory()),
    FAKE_AGENT_SCRIPT: scriptVariable(script),
    GLASSBOX_CONFIG: path.join(temporaryDirectory(), 'none.json'),
    GLASSBOX_STATE_DIR: temporaryDirectory(),
    GLASSBOX_STORE: newStore(),
    ...env,
  };
}

/** What no test of them is about is not kept for going back: that would start git some thousand times. */
const common = (cwd: string = temporaryDirectory()): string[] => [
  '--program',
  FAKE_AGENT,
  '--cwd',
  cwd,
  '--no-checkpoints',
];

/** A step that goes on when the gate is opened. */
export function createGate(): { step: Step; open(): void } {
  const file = path.join(temporaryDirectory(), 'gate');
  return { step: { file }, open: () => writeFileSync(file, '') };
}

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

/** A run prints a moment before it is kept: settles once others find it over the store, in this state. */
export async function reached(title: string, state: 'running' | 'waiting', env: Record<string, string>): Promise<void> {
  const states = async () =>
    (await glassbox(['ps', '--json'], '', env)).stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .flatMap((session) => (session.title === title ? [session.state] : []));
  await expect.poll(states).toEqual([state]);
}

export interface Screen {
  /** Settles once this is on the screen. */
  shows(text: string | RegExp): Promise<void>;
  /** Settles once this is on the screen after what was waited for before. */
  goesOn(text: string | RegExp): Promise<void>;
  type(keys: string): void;
  signal(name: NodeJS.Signals): void;
  readonly pid: number;
  resize(columns: number, rows: number): void;
  /** Everything that was ever written to the screen. */
  text(): string;
  ended: Promise<number>;
}

/** The same in a real terminal; with `input` or `from` only its standard input comes from elsewhere. */
export function openTerminal(args: readonly string[], script: readonly Step[], setting: Setting = {}): Screen {
  const { env, cwd, input, from, columns = 120, rows = 40, isAlone = false } = setting;
  const given = input === undefined ? from : temporaryFile('input', input);
  const words = [CLI, ...args, ...(isAlone ? [] : common(cwd))];
  const [program, all] =
    given === undefined
      ? [process.execPath, words]
      : ['/bin/sh', ['-c', `exec "$@" < "$0"`, given, process.execPath, ...words]];
  const terminal = spawnTerminal(program, all, {
    cols: columns,
    rows,
    env: { ...process.env, ...environment(script, env), NO_COLOR: '1' },
  });
  let text = '';
  const looks = new Set<() => void>();
  terminal.onData((data) => {
    text += data;
    for (const look of looks) look();
  });
  let hasEnded = false;
  const ended = new Promise<number>((resolve) =>
    terminal.onExit(({ exitCode }) => {
      hasEnded = true;
      resolve(exitCode);
    }),
  );
  // It does not outlive its test, whatever was not as expected there.
  onTestFinished(async () => {
    if (hasEnded) return;
    process.kill(terminal.pid, 'SIGTERM');
    await ended;
  });
  let seen = 0;
  /** Settles once it stands behind this place, and moves on behind it. */
  const waitFor = (wanted: string | RegExp, from: number) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        const end = endOf(wanted, text, from);
        if (end === undefined) return;
        looks.delete(look);
        seen = Math.max(seen, end);
        resolve();
      };
      looks.add(look);
      look();
      void ended.then(() => reject(new Error(`it ended without showing ${wanted}:\n${text}`)));
    });
  return {
    shows: (wanted) => waitFor(wanted, 0),
    goesOn: (wanted) => waitFor(wanted, seen),
    type: (keys) => terminal.write(keys),
    signal: (name) => void process.kill(terminal.pid, name),
    pid: terminal.pid,
    resize: (wide, high) => terminal.resize(wide, high),
    text: () => text,
    ended,
  };
}

function endOf(wanted: string | RegExp, text: string, from: number): number | undefined {
  const rest = text.slice(from);
  const found = typeof wanted === 'string' ? wanted : wanted.exec(rest)?.[0];
  const at = found === undefined ? -1 : typeof wanted === 'string' ? rest.indexOf(wanted) : rest.search(wanted);
  return at < 0 ? undefined : from + at + (found?.length ?? 0);
}
