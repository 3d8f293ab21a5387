/** Row 34: what the guard costs of decoding, on long clean texts and word by word. */
import { createDecoder } from '../src/decode/index.js';
import type { Draft } from '../src/event/index.js';
import { createGuard, type GuardOptions } from '../src/guard/index.js';
import { readMix } from './support/mix.js';
import { measureRounds } from './support/rounds.js';
import { report } from './support/row.js';

const mix = readMix('claude');
/** Source code, the bulk of what real tools print: many long names, marks and quotes, no secret. */
const source = mix.lines.slice(0, 200).map((_, n) => sourceText(n));
const sourceLines = source.map((text) => JSON.stringify({ text }));
const words = sourceText(0)
  .repeat(10)
  .split(/(?<=\s)/);

const times = await measureRounds({
  bare() {
    for (const line of mix.lines) JSON.parse(line);
  },
  off: () => decode(false),
  on: () => decode({}),
  boundsOnly: () => decode({ redact: false }),
  parseSource() {
    for (const line of sourceLines) JSON.parse(line);
  },
  guardSource: () => passAll(source.map((text) => ({ type: 'text-end', messageId: 'm', index: 0, text, turn: 1 }))),
  guardWords: () => passAll(words.map((text) => ({ type: 'text-delta', messageId: 'm', index: 0, text, turn: 1 }))),
});

const value = times.ratio('on', 'bare');
report([
  {
    row: 34,
    what: `decode and translate, guard on, all recordings, ${mix.about}`,
    against: 'bare JSON.parse of the same lines, already split',
    goal: '≥ 0.40',
    value,
    unit: '×',
    ok: value >= 0.4,
    also: {
      'guard off': `${times.ratio('off', 'bare').toFixed(2)} ×`,
      'bounds without redaction': `${times.ratio('boundsOnly', 'bare').toFixed(2)} ×`,
      'guard alone on long source texts': `${times.ratio('guardSource', 'parseSource').toFixed(2)} × JSON.parse of them`,
      'guard alone on deltas of a word': `${((times.ms('guardWords') * 1000) / words.length).toFixed(2)} µs each`,
    },
  },
]);

function decode(guard: GuardOptions | false): void {
  const decoder = createDecoder('claude', { guard });
  for (const chunk of mix.chunks) decoder.push(chunk);
  decoder.end();
}

function passAll(drafts: readonly Draft[]): void {
  const guard = createGuard();
  for (const draft of drafts) guard.pass(draft);
  guard.end();
}

function sourceText(seed: number): string {
  const line = (n: number) =>
    `  const ${'entry'}${n}: Promise<Readonly<${'Value'}>> = await this.lookUp({ path: "src/${n}.ts", depth: ${seed} });\n`;
  return Array.from({ length: 100 }, (_, n) => line(n)).join('');
}
