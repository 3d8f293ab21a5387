/** What a browser must load before it shows the first conversation stays small; the heavy parts come later. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const FOLDER = path.resolve(import.meta.dirname, '../../dist/web');
const MOST_BYTES = 250_000;

test('script, style and fonts of the first conversation are under 250 kB compressed', () => {
  const html = readFileSync(path.join(FOLDER, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\.?\/?(assets\/[^"]+)"/g)].map((match) => match[1] ?? '');
  const fonts = readdirSync(path.join(FOLDER, 'assets')).filter((name) => name.endsWith('.woff2'));
  const first = [...named, ...fonts.map((name) => `assets/${name}`)];
  expect(named.some((name) => name.endsWith('.js'))).toBe(true);
  expect(fonts).toHaveLength(2);
  const bytes = first.map((name) => gzipSync(readFileSync(path.join(FOLDER, name))).length);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
});

test('highlighting, diffs and charts are loaded later', () => {
  const names = readdirSync(path.join(FOLDER, 'assets')).filter((name) => name.endsWith('.js'));
  for (const part of ['highlight', 'diff-row', 'timeline', 'cost-page']) {
    expect(names.filter((name) => name.startsWith(part))).toHaveLength(1);
  }
});

test('nothing in the page is inline, as its policy demands', () => {
  const html = readFileSync(path.join(FOLDER, 'index.html'), 'utf8');
  expect(html).not.toMatch(/<style|\son\w+=|style="/);
  expect([...html.matchAll(/<script[^>]*>([^<]*)/g)].map((match) => match[1])).toEqual(['']);
});
