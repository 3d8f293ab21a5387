/** Row 4: 1 GB of an agent's output through the command line to text, without and with keeping it; memory must not grow with what has passed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMix, withOwnIds } from './support/mix.js';
import { type Row, report } from './support/row.js';

/** `BENCH_PIPE_MB` for a quicker look: the peak is reached early. */
const TOTAL_BYTES = Number(process.env.BENCH_PIPE_MB ?? 1000) * 1e6;
/** Peaks, in MB. */
const LIMITS = { printed: 110, kept: 140 };

const cli = process.env.BENCH_CLI ?? '';
/** Loaded into the measured process before the program: tells its memory over time when it ends. */
const probe = `data:text/javascript,${encodeURIComponent(`
  const samples = [];
  setInterval(() => samples.push(process.memoryUsage.rss()), 100).unref();
  process.on('exit', () => {
    process.stderr.write('\\nPROBE ' + JSON.stringify({ peak: process.resourceUsage().maxRSS * 1024, samples }) + '\\n');
  });
`)}`;

if (process.argv[2] === 'write') await writeMix();
else {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-bench-'));
  const store = join(folder, 'store.db');
  const printed = await measure('to text', LIMITS.printed, ['--no-store']);
  const kept = await measure('to text and into the store', LIMITS.kept, ['--store', store]);
  kept.also.kept = `${Math.round(mb(statSync(store).size))} MB`;
  rmSync(folder, { recursive: true });
  report([printed, kept]);
}

async function measure(where: string, limit: number, flags: readonly string[]): Promise<Row> {
  const file = fileURLToPath(import.meta.url);
  const writer = spawn(process.execPath, [file, 'write'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const reader = spawn(process.execPath, ['--import', probe, cli, ...flags], {
    stdio: [writer.stdout, 'ignore', 'pipe'],
  });
  const start = performance.now();
  let told = '';
  reader.stderr?.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  await once(reader, 'close');
  const seconds = (performance.now() - start) / 1000;
  const { peak, samples } = JSON.parse(/PROBE (.*)/.exec(told)?.[1] ?? '{}') as { peak: number; samples: number[] };
  const highest = (from: number, to: number) => mb(Math.max(...slice(samples, from, to)));
  const value = mb(peak);
  return {
    row: 4,
    what: `${TOTAL_BYTES / 1e6} MB through glassbox ${where}: peak memory`,
    against: 'nothing',
    goal: `≤ ${limit} MB, flat`,
    value,
    unit: 'MB',
    ok: value <= limit && highest(0.5, 1) <= highest(0.1, 0.5) * 1.15,
    also: {
      'highest in each quarter': `${[0, 0.25, 0.5, 0.75].map((from) => Math.round(highest(from, from + 0.25))).join(', ')} MB`,
      speed: `${Math.round(TOTAL_BYTES / 1e6 / seconds)} MB/s`,
    },
  };
}

/** The mix again and again, each time with ids of its own. */
async function writeMix(): Promise<void> {
  const { bytes } = readMix('claude');
  for (let written = 0, pass = 0; written < TOTAL_BYTES; pass++) {
    const copy = withOwnIds(bytes, `p${pass}-`);
    written += copy.length;
    if (!process.stdout.write(copy)) await once(process.stdout, 'drain');
  }
}

function slice(samples: number[], from: number, to: number): number[] {
  return samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to));
}

function mb(bytes: number): number {
  return bytes / 1e6;
}
