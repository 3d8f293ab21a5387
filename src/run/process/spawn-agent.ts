/** Starts the agent's process, in a group of its own, without a shell; a failure is a value that says what is missing. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from './environment.js';

export interface SpawnPlan {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Environment;
  stdin: 'pipe' | 'ignore';
  stderr: 'pipe' | 'ignore';
}

export type Spawned = { child: ChildProcess; failure?: undefined } | { child?: undefined; failure: SpawnFailure };

export interface SpawnFailure {
  /** `cwd`: the directory is missing. `program`: the file is missing or may not be run. `system`: anything else. */
  what: 'cwd' | 'program' | 'system';
  /** Of the operating system, for example `EACCES`. */
  code: string;
}

export async function spawnAgent(plan: SpawnPlan): Promise<Spawned> {
  // Node reports a missing directory and a missing program alike, as ENOENT of the program.
  if (!(await isDirectory(plan.cwd))) return { failure: { what: 'cwd', code: 'ENOENT' } };
  for (const delayMs of [2, 5, 10, 20, 50, undefined]) {
    const spawned = await spawnOnce(plan);
    // A program that is just being written or updated.
    if (spawned.failure?.code !== 'ETXTBSY' || delayMs === undefined) return spawned;
    await sleep(delayMs);
  }
  return { failure: { what: 'system', code: 'ETXTBSY' } };
}

async function spawnOnce(plan: SpawnPlan): Promise<Spawned> {
  const { file, args, cwd, env, stdin, stderr } = plan;
  const stdio: StdioOptions = [stdin, 'pipe', stderr];
  try {
    const child = spawn(file, args, { cwd, env, stdio, detached: process.platform !== 'win32', windowsHide: true });
    return await new Promise<Spawned>((resolve) => {
      child.once('spawn', () => resolve({ child }));
      child.once('error', (error) => resolve({ failure: failureOf(error) }));
    });
  } catch (error) {
    // Some errors of the same call are thrown at once: E2BIG, ETXTBSY.
    return { failure: failureOf(error) };
  }
}

function failureOf(error: unknown): SpawnFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return { what: code === 'ENOENT' || code === 'EACCES' ? 'program' : 'system', code };
}

async function isDirectory(dir: string): Promise<boolean> {
  try {
    return (await stat(dir)).isDirectory();
  } catch {
    return false;
  }
}
