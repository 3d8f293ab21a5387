/** The command that tells whether an attempt did it. It runs what the agent wrote, so it is a process of a run like the agent: marked, and nothing of it survives. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { redactText } from '../run/index.js';
import { childEnvironment } from '../run/process/environment.js';
import { killOnExit } from '../run/process/host-exit.js';
import { readProcess } from '../run/process/process-table.js';
import { recordRun, runsDirectory } from '../run/process/reaper.js';
import { setMark } from '../run/process/set-mark.js';
import { endSurvivors, type Family } from '../run/process/survivor.js';
import type { CheckResult } from './comparison.js';

export interface CheckOptions {
  /** For a shell. */
  command: string;
  cwd: string;
  timeoutMs: number;
  signal: AbortSignal;
}

const TAIL_LETTERS = 2000;
/** Whoever could not be ended may keep its output open. */
const LAST_WORDS_MS = 500;

/** Never rejects. */
export async function runCheck({ command, cwd, timeoutMs, signal }: CheckOptions): Promise<CheckResult> {
  const begunAt = performance.now();
  const result = (outcome: CheckResult['outcome'], facts: Partial<CheckResult> = {}): CheckResult => ({
    outcome,
    durationMs: Math.round(performance.now() - begunAt),
    ...facts,
  });
  if (signal.aborted) return result('not-run');
  const runId = randomUUID();
  const record = await recordRun(runsDirectory(), runId).catch(() => undefined);
  const env = childEnvironment(process.env, { runId, drop: [] });
  const isPosix = process.platform !== 'win32';
  const child = spawn(command, {
    ...{ cwd, env, shell: true, detached: isPosix, windowsHide: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let tail = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-2 * TAIL_LETTERS);
    });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exited = new Promise<number | undefined>((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('exit', (code) => resolve(code ?? -1));
  });
  const { pid } = child;
  if (pid === undefined) {
    await exited;
    await record?.remove();
    return result('not-run');
  }
  const forget = killOnExit(pid);
  const marked = setMark(pid, runId);
  const leader = await readProcess(pid);
  const family: Family = { runId, ...(leader && { leader }) };
  if (leader) await record?.update({ leader }).catch(() => {});

  let ended: 'timed-out' | 'not-run' | undefined;
  const end = (why: NonNullable<typeof ended>): void => {
    if (ended) return;
    ended = why;
    void endSurvivors(family, 0);
  };
  const onAbort = () => end('not-run');
  const timer = setTimeout(() => end('timed-out'), timeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const exitCode = await exited;
  clearTimeout(timer);
  signal.removeEventListener('abort', onAbort);
  await marked;
  // Servers and watchers that it left.
  await endSurvivors(family, 0);
  forget();
  await Promise.race([closed, sleep(LAST_WORDS_MS, undefined, { ref: false })]);
  await record?.remove();
  const words = redactText(tail).slice(-TAIL_LETTERS).trim();
  const facts = { ...(words !== '' && { tail: words }), ...(exitCode !== undefined && { exitCode }) };
  return result(ended ?? (exitCode === 0 ? 'passed' : 'failed'), facts);
}
