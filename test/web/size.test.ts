/** What a browser must load before it shows the first conversation stays small; the heavy parts come later. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const FOLDER = path.resolve(import.meta.dirname, '../../dist/web');
/** With fonts, as they are. */
const MOST_BYTES = 350_000;
/** Script and style, as they are sent. */
const MOST_PACKED_BYTES = 130_000;

test('what the first screen loads is under 350 kB with its fonts, and script and style under 130 kB as they are sent', () => {
  const html = readFileSync(path.join(FOLDER, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\.?\/?(assets\/[^"]+)"/g)].map((match) => match[1] ?? '');
  const fonts = readdirSync(path.join(FOLDER, 'assets')).filter((name) => name.endsWith('.woff2'));
  expect(named.some((name) => name.endsWith('.js'))).toBe(true);
  expect(fonts).toHaveLength(2);
  const sum = (names: readonly string[], sizeOf: (body: Buffer) => number) =>
    names.reduce((bytes, name) => bytes + sizeOf(readFileSync(path.join(FOLDER, name))), 0);
  expect(sum([...named, ...fonts.map((name) => `assets/${name}`)], ({ length }) => length)).toBeLessThan(MOST_BYTES);
  expect(sum(named, (body) => gzipSync(body).length)).toBeLessThan(MOST_PACKED_BYTES);
});

test('conversations, Markdown, highlighting, diffs and charts are loaded later', () => {
  const names = readdirSync(path.join(FOLDER, 'assets')).filter((name) => name.endsWith('.js'));
  for (const part of ['session-view', 'markdown', 'highlight', 'diff-row', 'timeline', 'changes-page', 'cost-page']) {
    expect(names.filter((name) => name.startsWith(part))).toHaveLength(1);
  }
});

test('nothing in the page is inline, as its policy demands', () => {
  const html = readFileSync(path.join(FOLDER, 'index.html'), 'utf8');
  expect(html).not.toMatch(/<style|\son\w+=|style="/);
  expect([...html.matchAll(/<script[^>]*>([^<]*)/g)].map((match) => match[1])).toEqual(['']);
});
