/** Starts the built program as a process of its own, as a user does. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

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

export function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
  const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env;
  const store = path.join(mkdtempSync(path.join(tmpdir(), 'glassbox-cli-')), 'store.db');
  const child = spawn(process.execPath, [CLI, ...args], { env: { ...inherited, GLASSBOX_STORE: store, ...env } });
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

export async function glassbox(
  args: readonly string[],
  input: string | Uint8Array = '',
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const { child, ended } = start(args, env);
  child.stdin.end(input);
  return ended;
}

/** A file with this content, in a directory of its own. */
export function temporaryFile(name: string, content: string | Uint8Array): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'glassbox-cli-')), name);
  writeFileSync(file, content);
  return file;
}

export const recording = (name: string): string => path.resolve('test/recordings/claude', name, 'stdout.jsonl');
