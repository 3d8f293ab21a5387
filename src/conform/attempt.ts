/**
 * One reader on one stream, as a process that is ended whatever it does.
 *
 * The driver protocol: the driver gets the bytes on its standard input, and the name of a file with the same bytes in
 * `GLASSBOX_CONFORM_STREAM`, for readers that start a program themselves. `GLASSBOX_CONFORM_AGENT` says whose stream it is. It prints
 * `{"item": value}` for each value that its reader delivers, `{"error": "why"}` for each line that its reader calls bad, and
 * `{"end": true}` when its reader came to the end, or `{"fail": "why"}` when it gave up.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { createLineDecoder, type Item } from '../jsonl/index.js';
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
  limitMs: number;
  signal: AbortSignal;
}

/** A reader that delivers more has lost its way. */
const MOST_ITEMS = 1_000_000;

/** Some readers quote the line that they stumbled over. */
const LONGEST_WHY = 60;

export async function attempt(reader: Reader, options: AttemptOptions): Promise<Report> {
  const report: Report = { items: [], errors: 0, end: 'died' };
  const child = start(reader, options);
  let hung = false;
  const stop = () => end(child);
  const timer = setTimeout(() => {
    hung = true;
    stop();
  }, options.limitMs);
  options.signal.addEventListener('abort', stop);
  try {
    const exit = exitOf(child);
    feed(child, options.file);
    await read(child, report);
    const how = await exit;
    if (hung) Object.assign(report, { end: 'hung', why: `did not come to an end in ${options.limitMs / 1000} s` });
    else if (report.end === 'died') report.why ??= how;
    return report;
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', stop);
    // What it started and left behind.
    stop();
  }
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

function feed({ stdin }: ChildProcess, file: string): void {
  if (!stdin) return;
  // One that does not want all of it is judged by what it delivered.
  stdin.on('error', () => {});
  const source = createReadStream(file).on('error', () => stdin.destroy());
  stdin.on('close', () => source.destroy());
  source.pipe(stdin);
}

async function read(child: ChildProcess, report: Report): Promise<void> {
  const decoder = createLineDecoder({ maxLineBytes: Number.POSITIVE_INFINITY });
  for await (const bytes of child.stdout ?? []) {
    for (const item of decoder.push(bytes)) note(item, report);
    if (report.items.length > MOST_ITEMS) end(child);
  }
  for (const item of decoder.end()) note(item, report);
}

function note(item: Item, report: Report): void {
  if (item.kind === 'error' || typeof item.value !== 'object' || item.value === null) return;
  const said = item.value as { item?: unknown; error?: unknown; end?: unknown; fail?: unknown };
  if ('item' in said) report.items.push(said.item);
  else if ('error' in said) report.errors += 1;
  else if (said.end === true) report.end = 'read';
  else if ('fail' in said) report.why = String(said.fail).slice(0, LONGEST_WHY);
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
