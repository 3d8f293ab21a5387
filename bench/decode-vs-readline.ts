/** Row 2: a whole stream to events, against the ways that others only split and parse the same stream. */
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { decode } from '../src/decode/index.js';
import { createLineDecoder, type Item } from '../src/jsonl/index.js';
import { readLiveMix } from './support/mix.js';
import { measureRounds } from './support/rounds.js';
import { report } from './support/row.js';

type Split = (parse: (line: string) => unknown) => NodeJS.ReadWriteStream;

const split2 = load();
const mix = readLiveMix('claude');

const times = await measureRounds({
  async readline() {
    for await (const line of createInterface({ input: open(), crlfDelay: Number.POSITIVE_INFINITY })) parse(line);
  },
  async split2() {
    if (split2) for await (const _ of open().pipe(split2(parse)));
  },
  async parsed() {
    for await (const _ of parsedLines(open()));
  },
  async decode() {
    for await (const _ of decode(open(), { agent: 'claude', guard: false }));
  },
  async guarded() {
    for await (const _ of decode(open(), { agent: 'claude' }));
  },
});

const value = times.ratio('guarded', 'readline');
const against = (name: 'decode' | 'guarded', baseline: 'readline' | 'split2') =>
  baseline === 'split2' && !split2 ? 'could not be installed' : `${times.ratio(name, baseline).toFixed(2)} ×`;
report([
  {
    row: 2,
    what: `a stream to events, guard on, ${mix.about}`,
    against: 'readline, for await, JSON.parse (no translation)',
    goal: '≥ 1.00',
    value,
    unit: '×',
    ok: value >= 1,
    also: {
      'against split2 with JSON.parse': against('guarded', 'split2'),
      'our lines and JSON.parse alone, one by one, against readline': `${times.ratio('parsed', 'readline').toFixed(2)} ×`,
      'guard off, against readline': against('decode', 'readline'),
      'guard off, against split2': against('decode', 'split2'),
    },
  },
]);

function load(): Split | undefined {
  try {
    return createRequire(`${process.env.BENCH_PEERS}/`)('split2');
  } catch {
    return undefined;
  }
}

function open(): Readable {
  return Readable.from(mix.chunks, { objectMode: false });
}

/** The floor of what gives values one by one and parses each line: nothing is translated, guarded or stamped. */
async function* parsedLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Item> {
  const lines = createLineDecoder();
  for await (const chunk of source) yield* lines.push(chunk);
  yield* lines.end();
}

/** Noise on a line is skipped, as the others do. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
