/** Row 6: what glassbox adds between the `data` event of the agent's pipe and the reader who gets the event, guard on. */
import { mkdtempSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../src/run/index.js';
import { median } from './support/rounds.js';
import { report } from './support/row.js';

const ROUNDS = 9;
const now = () => performance.timeOrigin + performance.now();

const state = mkdtempSync(path.join(tmpdir(), 'glassbox-bench-'));
process.env.GLASSBOX_STATE_DIR = state;

/** When a pipe last gave data: both figures come from the same run, so that a busy machine slows both. */
let arrived = 0;
const emit = Socket.prototype.emit;
Socket.prototype.emit = function (name: string | symbol, ...args: unknown[]): boolean {
  if (name === 'data') arrived = now();
  return Reflect.apply(emit, this, [name, ...args]);
};

interface Delays {
  /** From the child's write to the data of its pipe. */
  pipe: number[];
  /** From there to the reader. */
  added: number[];
}

const rounds: Delays[] = [];
// The first round only warms up the compiler.
for (let round = 0; round <= ROUNDS; round++) rounds.push(await measure());
rounds.shift();
rmSync(state, { recursive: true, force: true });

const of = (name: keyof Delays, share: number) => median(rounds.map((round) => quantile(round[name], share)));
const value = of('added', 0.99);
report([
  {
    row: 6,
    what: 'latency of an event, p99, guard on',
    against: 'the data event of the same pipe, added to it',
    goal: '< 1 ms',
    value,
    unit: 'ms',
    ok: value < 1,
    also: {
      'added p50': `${of('added', 0.5).toFixed(3)} ms`,
      'child write to data event, p50 / p99': `${of('pipe', 0.5).toFixed(2)} / ${of('pipe', 0.99).toFixed(2)} ms`,
    },
  },
]);

async function measure(): Promise<Delays> {
  const delays: Delays = { pipe: [], added: [] };
  const program = path.resolve('bench/support/ticker.mjs');
  const handle = run({
    agent: 'claude',
    prompt: 'go',
    program,
    permission: 'deny',
    raw: true,
    lowLatency: true,
    survivorGraceMs: 0,
  });
  for await (const event of handle.events) {
    if (event.type !== 'text-delta') continue;
    delays.added.push(now() - arrived);
    delays.pipe.push(arrived - writtenAt(event));
  }
  return delays;
}

function writtenAt(event: { raw?: unknown }): number {
  const { raw } = event;
  return typeof raw === 'object' && raw !== null && 'at' in raw ? Number(raw.at) : Number.NaN;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
