/** Row 1: everything from bytes to stamped events, against nothing but `JSON.parse` of lines that somebody else has split. */
import { createDecoder } from '../src/decode/index.js';
import { createLineDecoder } from '../src/jsonl/index.js';
import { readMix } from './support/mix.js';
import { measureRounds } from './support/rounds.js';
import { report } from './support/row.js';

const mix = readMix('claude');
const byteLines = mix.lines.map((line) => Buffer.from(line));
const utf8 = new TextDecoder('utf-8', { fatal: true });

const times = await measureRounds({
  bare() {
    for (const line of mix.lines) JSON.parse(line);
  },
  bareBytes() {
    for (const line of byteLines) JSON.parse(utf8.decode(line));
  },
  lines() {
    const decoder = createLineDecoder();
    for (const chunk of mix.chunks) decoder.push(chunk);
    decoder.end();
  },
  decode() {
    const decoder = createDecoder('claude', { guard: false });
    for (const chunk of mix.chunks) decoder.push(chunk);
    decoder.end();
  },
});

const perSecond = (ms: number) => `${Math.round((mix.megabytes / ms) * 1000)} MB/s`;
const value = times.ratio('decode', 'bare');
report([
  {
    row: 1,
    what: `decode and translate, guard off, ${mix.about}`,
    against: 'bare JSON.parse of the same lines, already split',
    goal: '≥ 0.80',
    value,
    unit: '×',
    ok: value >= 0.8,
    also: {
      'decode, guard off': perSecond(times.ms('decode')),
      'bare JSON.parse': perSecond(times.ms('bare')),
      'bytes to text and JSON.parse, lines already split': `${times.ratio('bareBytes', 'bare').toFixed(2)} ×`,
      'jsonl alone': `${times.ratio('lines', 'bare').toFixed(2)} ×`,
    },
  },
]);
