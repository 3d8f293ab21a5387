/** The built program: started as a process of its own, as a user does, or asked what it says. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { askWarm, isBrief } from './warm.js';

export const CLI = path.resolve('dist/cli.js');

export interface Ended {
  stdout: string;
  stderr: string;
  status: number | null;
  signal: NodeJS.Signals | null;
}

export interface Started {
  child: ChildProcessWithoutNullStreams;
  /** Resolves once this was printed on stdout. */
  printed(text: string): Promise<void>;
  ended: Promise<Ended>;
}

/** In a test, which it does not outlive, whatever was not as expected there. */
export function start(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd?: string): Started {
  const started = launch(args, env, cwd);
  onTestFinished(async () => {
    const { child, ended } = started;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await ended;
  });
  return started;
}

function launch(args: readonly string[], env: NodeJS.ProcessEnv, cwd?: string): Started {
  const child = spawn(process.execPath, [CLI, ...args], { env: surroundings(env), cwd });
  const output = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const look of waiting) look();
    });
  }
  // It may be over before it has read everything.
  child.stdin.on('error', () => {});
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (status, signal) => resolve({ ...output, status, signal }));
  });
  const printed = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => output.stdout.includes(text) && resolve();
      waiting.add(look);
      look();
      void ended.then(() => reject(new Error(`it ended without printing ${text}: ${output.stdout}${output.stderr}`)));
    });
  return { child, printed, ended };
}

/** What a command says, and its status. One that does one thing and ends needs no process of its own; `start` is for who tests that. */
export async function glassbox(
  args: readonly string[],
  input: string | Uint8Array = '',
  env: NodeJS.ProcessEnv = {},
  cwd?: string,
): Promise<Ended> {
  const said = isBrief(args) ? askWarm({ args, input, env: surroundings(env), ...(cwd && { cwd }) }) : undefined;
  if (said) return said;
  const { child, ended } = launch(args, env, cwd);
  child.stdin.end(input);
  return ended;
}

function surroundings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env;
  const place = mkdtempSync(path.join(tmpdir(), 'glassbox-cli-'));
  const own = { ...nobodysHome(place), GLASSBOX_STORE: path.join(place, 'store.db'), GLASSBOX_STATE_DIR: place };
  return { ...inherited, ...own, ...env };
}

/** A file with this content, in a directory of its own. */
export function temporaryFile(name: string, content: string | Uint8Array): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'glassbox-cli-')), name);
  writeFileSync(file, content);
  return file;
}

export const recording = (name: string): string => path.resolve('test/recordings/claude', name, 'stdout.jsonl');

/** The sessions of the person who runs the tests are none of their business: what agents keep is looked for here, and there is nothing. */
export function nobodysHome(place: string): Record<string, string> {
  const folders = [
    'CLAUDE_CONFIG_DIR',
    'CODEX_HOME',
    'COPILOT_HOME',
    'XDG_CONFIG_HOME',
    'XDG_DATA_HOME',
    'XDG_STATE_HOME',
  ];
  return { HOME: place, USERPROFILE: place, ...Object.fromEntries(folders.map((name) => [name, ''])) };
}
