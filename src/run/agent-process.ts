/** A started agent: its bytes, its input, and the promise that it, its output and its offspring come to an end. */
import type { ChildProcess } from 'node:child_process';
import type { EndingLadder } from '../agent/index.js';
import { climbDown } from './ending.js';
import { readProcess } from './process-table.js';
import { endSurvivors, type Family, findDescendants, signalPid } from './survivor.js';

export interface AgentProcess {
  readonly pid: number;
  /** Writes lines to the agent; false when it no longer listens. */
  send(lines: readonly string[]): boolean;
  /** Its input is open. */
  listens(): boolean;
  closeInput(): void;
  /** Stops or goes on reading output; the agent then waits, or buffers by itself. */
  hold(held: boolean): void;
  signal(signal: NodeJS.Signals): void;
  /** Climbs down the agent's ladder; a second call joins the first. */
  end(): Promise<void>;
  hasExited(): boolean;
  /** The last words on stderr, where they are collected. */
  stderrTail(): string;
  /** The process is gone, its output is read to the end, its offspring is ended. */
  readonly gone: Promise<Exit>;
}

export interface Exit {
  exitCode?: number;
  signal?: string;
  /** What was done to end it, in words; empty when it ended by itself. */
  steps: readonly string[];
  /** Processes that could not be ended. */
  survivors: readonly number[];
}

export interface ProcessOptions {
  runId: string;
  ladder: EndingLadder;
  survivors: 'end' | 'keep';
  /** For hooks and the like that an agent leaves behind to finish. */
  graceMs: number;
  onData(bytes: Uint8Array): void;
  onStderr?: ((text: string) => void) | undefined;
  /** The agent's own interrupt, and the end of the turn it stops. */
  interrupt(): boolean;
  quiet(): Promise<void>;
}

export function attendProcess(child: ChildProcess, options: ProcessOptions): AgentProcess {
  const { runId, ladder, onData } = options;
  const pid = child.pid ?? 0;
  const leader = readProcess(pid);
  const { stdin, stderr } = child;
  let steps: string[] = [];
  let known: Family['known'];
  let ending: Promise<void> | undefined;
  let tail = '';

  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  const exited = new Promise<void>((resolve) => {
    if (hasExited()) resolve();
    else child.once('exit', () => resolve());
  });
  const output = drain(child, onData);
  // An agent that closes its input early is no failure; what could not be said is known from `send`.
  stdin?.on('error', () => {});
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-STDERR_TAIL);
    options.onStderr?.(text);
  });

  const signal = (name: NodeJS.Signals) => {
    // The group too: launchers do not always pass signals on.
    if (!hasExited()) signalPid(process.platform === 'win32' ? pid : -pid, name);
  };
  const listens = () => stdin?.writable === true && !hasExited();
  const closeInput = () => stdin?.end();

  async function leave(): Promise<Exit> {
    await exited;
    const family: Family = { runId, leader: await leader, known };
    // One that ended by itself may have something to tidy up behind it.
    const graceMs = ending ? 0 : options.graceMs;
    const rest = options.survivors === 'end' ? await endSurvivors(family, graceMs) : [];
    await output.closed();
    stdin?.destroy();
    stderr?.destroy();
    const exit: Exit = { steps, survivors: rest.map((row) => row.pid) };
    if (child.exitCode !== null) exit.exitCode = child.exitCode;
    if (child.signalCode !== null) exit.signal = child.signalCode;
    return exit;
  }

  return {
    pid,
    send(lines) {
      if (!listens()) return false;
      for (const line of lines) stdin?.write(`${line}\n`);
      return true;
    },
    listens,
    closeInput,
    hold: output.hold,
    signal,
    end() {
      ending ??= (async () => {
        known = await findDescendants(pid);
        const { interrupt, quiet } = options;
        steps = await climbDown(ladder, { interrupt, quiet, closeInput, signal, exited });
      })();
      return ending;
    },
    hasExited,
    stderrTail: () => tail,
    gone: leave(),
  };
}

const STDERR_TAIL = 8 * 1024;
/** Silence after which a dead agent's pipe, kept open by somebody else, counts as read. */
const DRAIN_LIMIT_MS = 2000;

/** Reads output; after the exit it waits for its end, but not for ever: a grandchild may keep the pipe open. */
function drain({ stdout }: ChildProcess, onData: (bytes: Uint8Array) => void) {
  let held = false;
  let limit: NodeJS.Timeout | undefined;
  let afterExit = false;
  const closed = new Promise<void>((resolve) => stdout?.once('close', resolve) ?? resolve());

  const watch = () => {
    clearTimeout(limit);
    // While a reader makes us wait, silence is ours and not the agent's.
    if (afterExit && !held) limit = setTimeout(() => stdout?.destroy(), DRAIN_LIMIT_MS);
  };
  stdout?.on('data', (bytes: Uint8Array) => {
    onData(bytes);
    watch();
  });
  stdout?.on('error', () => {});

  return {
    hold(hold: boolean) {
      if (held === hold) return;
      held = hold;
      if (held) stdout?.pause();
      else stdout?.resume();
      watch();
    },
    async closed() {
      afterExit = true;
      watch();
      await closed;
      clearTimeout(limit);
    },
  };
}
