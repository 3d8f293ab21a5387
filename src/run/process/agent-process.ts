/** A started agent: its bytes, its input, and the promise that it, its output and its offspring come to an end. */
import type { ChildProcess } from 'node:child_process';
import type { EndingLadder } from '../../agent/index.js';
import { endProcess } from './end-process.js';
import type { FamilyWatch } from './family-watch.js';
import { paceReading } from './paced-reading.js';
import { hasLeft, readProcess } from './process-table.js';
import type { Stderr } from './stderr.js';
import { endSurvivors, type Survivors, signalPid } from './survivor.js';

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
  /** As the kernel knows it, which may be before its exit is heard here. */
  hasLeft(): boolean;
  /** The process is gone, its output is read to the end, its offspring is ended. */
  readonly gone: Promise<Exit>;
}

export interface Exit {
  exitCode?: number;
  signal?: string;
  /** What was done to end it, in words; empty when it ended by itself. */
  steps: readonly string[];
  /** Processes that it left behind. */
  survivors: Survivors;
}

export interface ProcessOptions {
  runId: string;
  /** Who descends from it. */
  family: FamilyWatch;
  ladder: EndingLadder;
  survivors: 'end' | 'keep';
  /** For hooks and the like that an agent leaves behind to finish. */
  graceMs: number;
  onData(bytes: Uint8Array): void;
  /** Every piece is read as soon as it is there, however many there are. */
  lowLatency: boolean;
  stderr: Pick<Stderr, 'push' | 'end'>;
  /** The agent's own interrupt, and the end of the turn it stops. */
  interrupt(): boolean;
  quiet(): Promise<void>;
}

export function superviseProcess(child: ChildProcess, options: ProcessOptions): AgentProcess {
  const { runId, ladder, family } = options;
  const pid = child.pid ?? 0;
  const leader = readProcess(pid);
  const { stdin, stderr } = child;
  let steps: string[] = [];
  let ending: Promise<void> | undefined;

  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  const exited = new Promise<void>((resolve) => {
    if (hasExited()) resolve();
    else child.once('exit', () => resolve());
  });
  const output = drain(child, options);
  const lastWords = hear(stderr, options.stderr.push);
  // An agent that closes its input early is no failure; what could not be said is known from `send`.
  stdin?.on('error', () => {});

  const signal = (name: NodeJS.Signals) => {
    // The group too: launchers do not always pass signals on.
    if (!hasExited()) signalPid(process.platform === 'win32' ? pid : -pid, name);
  };
  const listens = () => stdin?.writable === true && !hasExited();
  const closeInput = () => stdin?.end();

  async function leave(): Promise<Exit> {
    await exited;
    output.hurry();
    await family.look();
    family.stop();
    // One that ended by itself may have something to tidy up behind it.
    const graceMs = ending ? 0 : options.graceMs;
    const all = { runId, leader: await leader, known: family.known() };
    const survivors = options.survivors === 'end' ? await endSurvivors(all, graceMs) : { found: [], left: [] };
    await Promise.all([output.closed(), lastWords()]);
    stdin?.destroy();
    options.stderr.end();
    const exit: Exit = { steps, survivors };
    if (child.exitCode !== null) exit.exitCode = child.exitCode;
    if (child.signalCode !== null) exit.signal = child.signalCode;
    return exit;
  }

  return {
    pid,
    send(lines) {
      if (!listens()) return false;
      for (const line of lines) stdin?.write(`${line}\n`);
      output.hurry();
      return true;
    },
    listens,
    closeInput,
    hold: output.hold,
    signal,
    end() {
      ending ??= (async () => {
        await family.look();
        const { interrupt, quiet } = options;
        steps = await endProcess(ladder, { interrupt, quiet, closeInput, signal, exited });
      })();
      return ending;
    },
    hasLeft: () => hasExited() || hasLeft(pid),
    gone: leave(),
  };
}

/** Silence after which a dead agent's pipe, kept open by somebody else, counts as read. */
const DRAIN_LIMIT_MS = 2000;

/** Reads output; after the exit it waits for its end, but not for ever: a grandchild may keep the pipe open. */
function drain({ stdout }: ChildProcess, { onData, lowLatency }: Pick<ProcessOptions, 'onData' | 'lowLatency'>) {
  const pace = lowLatency ? undefined : paceReading(stdout);
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
    pace?.noteRead(bytes.length);
    onData(bytes);
    if (afterExit) watch();
  });
  stdout?.on('error', () => {});

  return {
    hold(hold: boolean) {
      if (held === hold) return;
      held = hold;
      if (held) stdout?.pause();
      else {
        stdout?.resume();
        pace?.resume();
      }
      watch();
    },
    hurry: () => pace?.hurry(),
    async closed() {
      afterExit = true;
      pace?.end();
      watch();
      await closed;
      clearTimeout(limit);
    },
  };
}

/** Passes on what is said on stderr; what it gives waits for the end of it after the exit, though not for somebody who goes on talking. */
function hear(stderr: ChildProcess['stderr'], onText: (text: string) => void): () => Promise<void> {
  const closed = new Promise<void>((resolve) => stderr?.once('close', resolve) ?? resolve());
  stderr?.setEncoding('utf8').on('data', onText);
  stderr?.on('error', () => {});
  return async () => {
    const limit = setTimeout(() => stderr?.destroy(), DRAIN_LIMIT_MS);
    await closed;
    clearTimeout(limit);
  };
}
