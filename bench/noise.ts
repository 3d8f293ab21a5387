/** Row 14: a stream that is nothing but noise, or lines that say nothing, through the command line into the store, against our decoder alone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDecoder } from '../src/decode/index.js';
import { report } from './support/row.js';

const LIMIT_MB = 150;
/** The whole of it, and a quarter, to see that it grows with its length. */
const STREAMS = [
  { line: 'garbage\n', count: 1_000_000 },
  { line: '{}\n', count: 2_000_000 },
];
const CHUNK_LINES = 10_000;

const rows = [];
for (const { line, count } of STREAMS) {
  const quarter = await throughThePipe(line, count / 4);
  const whole = await throughThePipe(line, count);
  const alone = decodeAlone(line, count);
  const value = whole.cpu / alone;
  const growth = whole.cpu / quarter.cpu;
  rows.push({
    row: 14,
    what: `${count.toLocaleString('en')} lines ${JSON.stringify(line.trim())} through glassbox into the store: CPU`,
    against: 'our decoder alone',
    goal: `≤ 2.00, linear, ≤ ${LIMIT_MB} MB`,
    value,
    unit: '×',
    ok: value <= 2 && growth <= 4.5 && whole.peakMb <= LIMIT_MB,
    also: {
      'peak memory': `${Math.round(whole.peakMb)} MB`,
      'four times as many lines': `${growth.toFixed(2)} × the CPU`,
      kept: `${(whole.keptBytes / 1e6).toFixed(1)} MB`,
    },
  });
}
report(rows);

async function throughThePipe(
  line: string,
  count: number,
): Promise<{ cpu: number; peakMb: number; keptBytes: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-bench-'));
  const store = join(folder, 'store.db');
  const probe = `data:text/javascript,${encodeURIComponent(`
    process.on('exit', () => {
      const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
      process.stderr.write('\\nPROBE ' + JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, peakMb: maxRSS / 1024 }) + '\\n');
    });
  `)}`;
  const args = ['--import', probe, process.env.BENCH_CLI ?? '', '--agent', 'claude', '--store', store];
  const reader = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'pipe'] });
  let told = '';
  reader.stderr.setEncoding('utf8').on('data', (text: string) => {
    told = (told + text).slice(-10_000);
  });
  reader.stdin.on('error', () => {});
  const closed = once(reader, 'close');
  const chunk = line.repeat(CHUNK_LINES);
  for (let n = 0; n < count; n += CHUNK_LINES) if (!reader.stdin.write(chunk)) await once(reader.stdin, 'drain');
  reader.stdin.end();
  await closed;
  const { cpu, peakMb } = JSON.parse(/PROBE (.*)/.exec(told)?.[1] ?? '{}') as { cpu: number; peakMb: number };
  const keptBytes = statSync(store).size;
  rmSync(folder, { recursive: true });
  return { cpu, peakMb, keptBytes };
}

function decodeAlone(line: string, count: number): number {
  const chunk = Buffer.from(line.repeat(CHUNK_LINES));
  const before = process.cpuUsage();
  const decoder = createDecoder('claude');
  for (let n = 0; n < count; n += CHUNK_LINES) decoder.push(chunk);
  decoder.end();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
