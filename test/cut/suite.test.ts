/** The cuts that the recordings are tried with find splitters that are wrong, each in the way in which one was wrong once. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { awkwardCuts, toBytes } from '../support/chunking.js';
import { ownRecordings } from '../support/recordings.js';

type Splitter = (pieces: readonly Uint8Array[]) => string[];

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

const sound: Splitter = (pieces) => linesOf(decode(Buffer.concat(pieces)));

const broken: Record<string, Splitter> = {
  'decodes each piece alone': (pieces) => linesOf(pieces.map(decode).join('')),
  'trims each piece': (pieces) => linesOf(pieces.map((piece) => decode(piece).replace(/^ +| +$/g, '')).join('')),
  'takes each piece for whole lines': (pieces) => pieces.flatMap((piece) => linesOf(decode(piece))),
  'forgets the rest when a piece has no line end': (pieces) =>
    withRest(pieces, (rest, text) => (text.includes('\n') ? rest + text : text)),
  'drops an escape that is torn': (pieces) =>
    withRest(pieces, (rest, text) => (rest.endsWith('\\') ? rest.slice(0, -1) : rest) + text),
  'loses a line end at the beginning of a piece': (pieces) =>
    withRest(pieces, (rest, text) => rest + (rest !== '' && text.startsWith('\n') ? text.slice(1) : text)),
  'skips the character behind a line end at the end of a piece': (pieces) => {
    const texts = pieces.map((piece) => Buffer.from(piece).toString('latin1'));
    return linesOf(texts.map((text, at) => (texts[at - 1]?.endsWith('\n') ? text.slice(1) : text)).join(''));
  },
};

/** One in twelve of the small ones: enough to meet all that can be torn. */
const some = ownRecordings()
  .filter(({ stdout }) => stdout.length < 20_000)
  .filter((_, index) => index % 12 === 0);

test.each(Object.entries(broken))('one that %s is found', (_, splitter) => {
  expect(some.some(({ stdout }) => isFound(splitter, stdout))).toBe(true);
});

test('a sound one is not', () => {
  expect(some.filter(({ stdout }) => isFound(sound, stdout))).toEqual([]);
  expect(isFound(sound, toBytes(''))).toBe(false);
});

test('every part of the recordings has its file', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => file.startsWith('part-'));
  expect(files).toEqual([1, 2, 3, 4].map((part) => `part-${part}.test.ts`));
});

/** Feeds piece by piece; `join` says what is kept of the last rest and the new text. */
function withRest(pieces: readonly Uint8Array[], join: (rest: string, text: string) => string): string[] {
  const lines: string[] = [];
  let rest = '';
  for (const piece of pieces) {
    const all = join(rest, Buffer.from(piece).toString('latin1')).split('\n');
    rest = all.pop() ?? '';
    lines.push(...all);
  }
  return [...lines, rest].filter((line) => line !== '');
}

function isFound(splitter: Splitter, bytes: Uint8Array): boolean {
  const whole = splitter([bytes]).join('\n');
  return awkwardCuts(bytes).some((pieces) => splitter(pieces).join('\n') !== whole);
}
