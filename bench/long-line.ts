/** Row 3: one line of 64 MB in pieces of 8 KB, against joining the pieces once; time in one process, memory in fresh ones. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createLineDecoder } from '../src/jsonl/index.js';
import { measureRounds, median } from './support/rounds.js';
import { report } from './support/row.js';

const LINE_BYTES = 64e6;
const PIECE_BYTES = 8192;

const ways = {
  /** What reading alone costs: the pieces are looked at and dropped. */
  read() {
    let bytes = 0;
    for (const piece of pieces()) bytes += piece.length;
    return bytes;
  },
  concat() {
    return JSON.parse(Buffer.concat([...pieces()]).toString());
  },
  decoder() {
    const decoder = createLineDecoder({ maxLineBytes: Number.POSITIVE_INFINITY });
    const items = [];
    for (const piece of pieces()) for (const item of decoder.push(piece)) items.push(item);
    return items;
  },
};

const alone = process.argv[2];
if (alone === undefined) await measure();
else {
  const result = ways[alone as keyof typeof ways]();
  process.stdout.write(JSON.stringify({ maxRssBytes: process.resourceUsage().maxRSS * 1024, kind: typeof result }));
}

async function measure(): Promise<void> {
  const times = await measureRounds(ways, { rounds: 7, warmUp: 2 });
  const value = times.ratio('decoder', 'concat');
  const idle = peakBytes('read');
  const memory = (peakBytes('decoder') - idle) / LINE_BYTES;
  const concatMemory = (peakBytes('concat') - idle) / LINE_BYTES;
  const also = {
    'time of reading the pieces alone': `${Math.round(times.ms('read'))} of ${Math.round(times.ms('decoder'))} ms`,
    'memory of Buffer.concat': `${concatMemory.toFixed(2)} × the line`,
  };
  const what = 'one line of 64 MB in pieces of 8 KB, limit lifted';
  report([
    {
      row: 3,
      what: `${what}: speed`,
      against: 'Buffer.concat once, toString, JSON.parse',
      goal: '≥ 0.70',
      value,
      unit: '×',
      ok: value >= 0.7,
      also,
    },
    {
      row: 3,
      what: `${what}: peak memory above a process that only reads the pieces`,
      against: 'the size of the line',
      goal: '≤ 3.00',
      value: memory,
      unit: '×',
      ok: memory <= 3,
      also: {},
    },
  ]);
}

function peakBytes(way: keyof typeof ways): number {
  const file = fileURLToPath(import.meta.url);
  const peaks = Array.from({ length: 5 }, () => {
    const output = execFileSync(process.execPath, [file, way], { encoding: 'utf8' });
    return Number(JSON.parse(output).maxRssBytes);
  });
  return median(peaks);
}

/** Fresh memory for each piece, as a pipe delivers it; text with escapes, as a tool's output has it. */
function* pieces(): Generator<Buffer> {
  const text = Buffer.from('  at line 42:\\n\\tconst value = await read(\\"file.txt\\"); // and so on\\n'.repeat(400));
  yield Buffer.from('{"type":"user","message":{"content":"');
  for (let done = 0; done < LINE_BYTES; done += PIECE_BYTES) {
    const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    const start = done % text.length;
    const copied = text.copy(piece, 0, start);
    text.copy(piece, copied, 0);
    yield piece;
  }
  // A backslash may be the last byte of the last piece.
  yield Buffer.from('n"}}\n');
}
