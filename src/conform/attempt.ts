/**
 * One reader on one stream after the other, as processes that are ended whatever they do.
 *
 * The driver protocol: the driver gets the bytes on its standard input, and the name of a file with the same bytes in
 * `GLASSBOX_CONFORM_STREAM`, for readers that start a program themselves. `GLASSBOX_CONFORM_AGENT` says whose stream it is. It prints
 * `{"item": value}` for each value that its reader delivers, `{"error": "why"}` for each line that its reader calls bad, and
 * `{"end": true}` when its reader came to the end, or `{"fail": "why"}` when it gave up.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { redactText } from '../decode/index.js';
import { createLineDecoder, type Item } from '../jsonl/index.js';
import { createHangCheck } from './hang-check.js';
import type { Reader } from './reader.js';

export interface Report {
  /** What was delivered, in order. */
  items: unknown[];
  /** Lines that the reader called bad. */
  errors: number;
  /** How it went: it read to the end, it gave up or broke, or it was still at it when the time was over. */
  end: 'read' | 'died' | 'hung';
  why?: string;
}

export interface AttemptOptions {
  agent: string;
  /** The stream as a file. */
  file: string;
  /** How long a reader may do nothing. */
  limitMs: number;
  signal: AbortSignal;
}

/** A reader that delivers more has lost its way. */
const MOST_ITEMS = 1_000_000;

/** Some readers quote the line that they stumbled over. */
const LONGEST_WHY = 60;

export interface Attempts extends AsyncDisposable {
  attempt(options: AttemptOptions): Promise<Report>;
}

/** A reader that stays is started when it is needed, and again when it had to be ended. */
export function createAttempts(reader: Reader): Attempts {
  let standing: Reading | undefined;
  return {
    async attempt(options) {
      const reading = standing ?? startReading(reader, options);
      standing = undefined;
      const report = await attempt(reading, options, reader.stays === true);
      if (reader.stays && report.end === 'read' && !options.signal.aborted) standing = reading;
      else await reading.stop();
      return report;
    },
    async [Symbol.asyncDispose]() {
      await standing?.stop();
    },
  };
}

async function attempt(reading: Reading, { file, limitMs, signal }: AttemptOptions, stays: boolean): Promise<Report> {
  const report: Report = { items: [], errors: 0, end: 'died' };
  const heard = reading.hear(report);
  const given = stays ? reading.tell({ file }) : reading.feed(file);
  using hangCheck = createHangCheck(limitMs, () => reading.received() + given());
  const stop = () => void reading.stop();
  signal.addEventListener('abort', stop);
  try {
    const whole = stays ? heard.ended : heard.closed;
    const hung = await Promise.race([whole, heard.closed, hangCheck.over]);
    if (typeof hung === 'string') Object.assign(report, { end: 'hung', why: hung });
    else if (report.end === 'died') report.why ??= await reading.exit;
    return report;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

interface Reading {
  /** What it says from now on goes into this report. Resolves when it said that it is at the end, and when it says nothing more. */
  hear(report: Report): { ended: Promise<void>; closed: Promise<void> };
  /** Gives it the bytes; how many it took so far is told on request. */
  feed(file: string): () => number;
  tell(said: object): () => number;
  /** How many bytes came from it. */
  received(): number;
  /** How it ended, in words. */
  readonly exit: Promise<string>;
  /** Ends it, with what it started and left behind. */
  stop(): Promise<void>;
}

/** Somebody who hid from the signal may hold its output for ever. */
const LETTING_GO_MS = 1000;

function startReading(reader: Reader, options: AttemptOptions): Reading {
  const child = start(reader, options);
  const { stdin } = child;
  const decoder = createLineDecoder({ maxLineBytes: Number.POSITIVE_INFINITY });
  let received = 0;
  let onItem: (item: Item) => void = () => {};
  child.stdout?.on('data', (bytes: Uint8Array) => {
    received += bytes.length;
    decoder.push(bytes).forEach(onItem);
  });
  const closed = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => {
      decoder.end().forEach(onItem);
      resolve();
    });
  });
  // One that does not want all of it is judged by what it delivered.
  stdin?.on('error', () => {});
  const stop = async () => {
    end(child);
    const timer = new AbortController();
    await Promise.race([closed, sleep(LETTING_GO_MS, undefined, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
  };

  return {
    hear(report) {
      const ended = new Promise<void>((resolve) => {
        onItem = (item) => {
          note(item, report);
          if (report.items.length > MOST_ITEMS) end(child);
          if (report.end === 'read') resolve();
        };
      });
      return { ended, closed };
    },
    feed(file) {
      if (!stdin) return () => 0;
      const source = createReadStream(file).on('error', () => stdin.destroy());
      stdin.on('close', () => source.destroy());
      source.pipe(stdin);
      return () => source.bytesRead;
    },
    tell(said) {
      stdin?.write(`${JSON.stringify(said)}\n`);
      return () => 0;
    },
    received: () => received,
    exit: exitOf(child),
    stop,
  };
}

function start({ command: [program, ...args], env }: Reader, { agent, file }: AttemptOptions): ChildProcess {
  return spawn(program, args, {
    env: { ...process.env, ...env, GLASSBOX_CONFORM_AGENT: agent, GLASSBOX_CONFORM_STREAM: file },
    stdio: ['pipe', 'pipe', 'ignore'],
    // A group of its own, so that it can be ended with everything that it started.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) => resolve(`ended without saying so (${signal ?? `status ${code}`})`));
  });
}

function note(item: Item, report: Report): void {
  if (item.kind === 'error' || typeof item.value !== 'object' || item.value === null) return;
  const said = item.value as { item?: unknown; error?: unknown; end?: unknown; fail?: unknown };
  if ('item' in said) report.items.push(said.item);
  else if ('error' in said) report.errors += 1;
  else if (said.end === true) report.end = 'read';
  else if ('fail' in said) report.why = redactText(String(said.fail)).slice(0, LONGEST_WHY);
}

function end(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Gone already, with all it started.
  }
}
