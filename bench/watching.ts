/**
 * Rows 15a, 30 and 31: what it costs to watch a machine. The server and the watching of 5,000 files at rest, how soon a line that reached the disk is
 * printed, and how much memory a conversation takes that grows by hundreds of megabytes.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { bytesOf, cpuOf, type Measured, startGlassbox, stop, untilQuiet } from './support/measured-process.js';
import { report } from './support/row.js';

const FILES = 5000;
const REST_S = Number(process.env.BENCH_REST_S ?? 30);
const LINES = 40;
const GROWTH_BYTES = Number(process.env.BENCH_GROWTH_MB ?? 300) * 1e6;
const PIECE = 'a word of a long answer '.repeat(2000);

const home = mkdtempSync(join(tmpdir(), 'glassbox-bench-'));
const old = Date.now() / 1000 - 30 * 86_400;
for (let number = 1; number <= FILES; number += 1) {
  const file = begin(number);
  say(file, 'long ago');
  utimesSync(file, old, old);
}

const resting = await rest();
const { delays, memory } = await watchGrowth();
rmSync(home, { recursive: true, maxRetries: 5 });

const sorted = delays.toSorted((a, b) => a - b);
const late = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
const growth = memory.last / memory.early;
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
report([
  {
    row: '15a',
    what: `glassbox serve at rest, watching ${FILES.toLocaleString('en')} files`,
    against: 'one core',
    goal: '≤ 1 % and 110 MB',
    value: resting.share * 100,
    unit: '%',
    ok: resting.share <= 0.01 && resting.bytes <= 110e6,
    also: { memory: megabytes(resting.bytes), measured: `${REST_S} s` },
  },
  {
    row: 30,
    what: 'from the disk to a line of glassbox watch --all, 95 of 100 lines',
    against: 'the clock',
    goal: '≤ 1,000 ms',
    value: late,
    unit: 'ms',
    ok: late <= 1000,
    also: {
      median: `${Math.round(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN)} ms`,
      lines: String(sorted.length),
    },
  },
  {
    row: 31,
    what: `memory while a conversation grows by ${megabytes(GROWTH_BYTES)}`,
    against: 'the memory after a tenth of it',
    goal: '≤ 1.30',
    value: growth,
    unit: '×',
    ok: growth <= 1.3,
    also: { 'after a tenth': megabytes(memory.early), 'at the end': megabytes(memory.last) },
  },
]);

async function rest(): Promise<{ share: number; bytes: number }> {
  const { child } = await start(['serve', '--port=0', '--no-open', '--project', home], '#login=');
  // What is there at the beginning is read once.
  await untilQuiet(child);
  const before = cpuOf(child);
  await setTimeout(REST_S * 1000);
  const share = (cpuOf(child) - before) / REST_S;
  const bytes = bytesOf(child);
  await stop(child);
  return { share, bytes };
}

async function watchGrowth(): Promise<{ delays: number[]; memory: { early: number; last: number } }> {
  const { child, printed } = await start(['watch', '--all'], 'watching the agents');
  await untilQuiet(child);
  const file = begin(FILES + 1);
  const waits: number[] = [];
  for (let line = 1; line <= LINES; line += 1) {
    const begun = performance.now();
    const shown = printed(`words ${line} of many`);
    say(file, `words ${line} of many`);
    await shown;
    waits.push(performance.now() - begun);
  }
  let early = 0;
  const [pieces, tenth] = [Math.ceil(GROWTH_BYTES / PIECE.length), Math.ceil(GROWTH_BYTES / PIECE.length / 10)];
  for (let piece = 1; piece <= pieces; piece += 1) {
    say(file, PIECE);
    if (piece % tenth !== 0) continue;
    const shown = printed(`mark ${piece} reached`);
    say(file, `mark ${piece} reached`);
    await shown;
    if (piece === tenth) early = bytesOf(child);
  }
  const last = bytesOf(child);
  await stop(child);
  return { delays: waits, memory: { early, last } };
}

function begin(number: number): string {
  const id = `01a1e465-4f86-7172-94c6-${String(number).padStart(12, '0')}`;
  const file = join(
    home,
    `.codex/sessions/2026/11/${String((number % 28) + 1).padStart(2, '0')}/rollout-2026-${id}.jsonl`,
  );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lineOf('session_meta', { id, cwd: '/repo', source: 'exec' }));
  appendFileSync(file, lineOf('event_msg', { type: 'task_started' }));
  return file;
}

function say(file: string, message: string): void {
  appendFileSync(file, lineOf('event_msg', { type: 'agent_message', message }));
}

function lineOf(type: string, payload: object): string {
  return `${JSON.stringify({ timestamp: new Date().toISOString(), type, payload })}\n`;
}

function start(args: readonly string[], ready: string): Promise<Measured> {
  return startGlassbox(home, args, ready);
}
