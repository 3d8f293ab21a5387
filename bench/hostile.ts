/** Row 33: what texts cost that were made to be slow for the guard, as they get longer: each rule's own words, and many blocks open at once. */
import type { Draft } from '../src/event/index.js';
import { createGuard } from '../src/guard/index.js';
import { redactionOf } from '../src/guard/redact.js';
import { CONTEXT_RULES, PROPERTY_RULE, WORD_RULES } from '../src/guard/rules.js';
import { hostileTexts } from '../test/support/hostile-text.js';
import { report } from './support/row.js';

const RULES = [...WORD_RULES, ...CONTEXT_RULES, PROPERTY_RULE];
const LENGTHS = [2_000, 4_000, 8_000];
const OPEN_BLOCKS = [4_000, 8_000, 16_000];
/** Of each rule so many texts, spread over all of them. */
const TEXTS = 8;
const ROUNDS = 3;

const rules = RULES.map((rule) => {
  const texts = LENGTHS.map((length) => spread(hostileTexts(rule, length)));
  return { name: rule.name, times: texts.map((some) => leastCpu(() => scan(some))), size: texts.map(lengthOf) };
});
const grown = growth(sumOf(rules.map(({ times }) => times)), sumOf(rules.map(({ size }) => size)));
const slowest = rules.toSorted((a, b) => perCharacter(b) - perCharacter(a))[0];
const blocks = OPEN_BLOCKS.map((count) => leastCpu(() => openBlocks(count)));
const blocksGrown = growth(blocks, OPEN_BLOCKS);
const value = Math.max(grown, blocksGrown);

report([
  {
    row: 33,
    what: `CPU for each character of hostile text, ${LENGTHS.join(', ')} characters; for each of ${OPEN_BLOCKS.join(', ')} open blocks`,
    against: 'the same for a quarter of the length',
    goal: '≤ 1.5',
    value,
    unit: '×',
    ok: value <= 1.5,
    also: {
      'rules, n to 4n': `${grown.toFixed(2)} ×`,
      'open blocks, n to 4n': `${blocksGrown.toFixed(2)} ×, ${blocks.map((ms) => ms.toFixed(0)).join(', ')} ms`,
      'the slowest rule': `${slowest?.name}, ${(slowest ? perCharacter(slowest) * 1000 : 0).toFixed(2)} µs a character`,
    },
  },
]);

function scan(texts: readonly string[]): void {
  for (const kind of ['text', 'json'] as const) {
    for (const text of texts) redactionOf(kind).createRedactor().end(text);
  }
}

function openBlocks(count: number): void {
  const guard = createGuard();
  const pass = (type: 'text-delta' | 'text-end') => {
    for (let n = 0; n < count; n++)
      guard.pass({ type, messageId: `m${n}`, index: 0, text: 'some words', turn: 1 } as Draft);
  };
  pass('text-delta');
  pass('text-end');
}

/** Of several rounds, because others use the machine too. */
function leastCpu(work: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/** From the first size to the last, for each of what there are more. */
function growth(times: readonly number[], sizes: readonly number[]): number {
  return at(times, -1) / at(sizes, -1) / (at(times, 0) / at(sizes, 0));
}

function perCharacter({ times, size }: { times: readonly number[]; size: readonly number[] }): number {
  return at(times, -1) / at(size, -1);
}

function at(values: readonly number[], index: number): number {
  return values.at(index) ?? 0;
}

function spread(texts: readonly string[]): string[] {
  const step = Math.max(1, Math.floor(texts.length / TEXTS));
  return texts.filter((_, index) => index % step === 0);
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function sumOf(rows: readonly (readonly number[])[]): number[] {
  return LENGTHS.map((_, index) => rows.reduce((sum, row) => sum + at(row, index), 0));
}
