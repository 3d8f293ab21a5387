/** The files of the page: what they are called, what they are, and how long a browser may keep them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadPage } from '../../src/server/page.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { serve, smallPage } from './serve.js';

test.each([
  ['index.html', 'text/html; charset=utf-8', false],
  ['assets/main.js', 'text/javascript; charset=utf-8', true],
  ['assets/main.css', 'text/css; charset=utf-8', true],
  ['assets/deep/font.woff2', 'font/woff2', true],
  ['icon.svg', 'image/svg+xml', false],
  ['about.json', 'application/json', false],
  ['app.webmanifest', 'application/manifest+json', false],
])('%s is %s', (name, type, immutable) => {
  const folder = temporaryDirectory();
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), 'x');
  writeFileSync(path.join(folder, 'notes.txt'), 'no file of a page');
  expect([...loadPage(folder)]).toEqual([[`/${name}`, { body: new Uint8Array([120]), type, immutable }]]);
});

test('what is text is sent packed to who takes it so, and what is small or packed already as it is', async () => {
  const folder = smallPage();
  const long = 'export const a = 1;\n'.repeat(200);
  writeFileSync(path.join(folder, 'assets', 'long.js'), long);
  writeFileSync(path.join(folder, 'assets', 'font.woff2'), long);
  const { send } = await serve([], { pageFolder: folder });
  const asked = async (name: string, encoding: string) => {
    const response = await send(`/assets/${name}`, { token: null, headers: { 'accept-encoding': encoding } });
    return { encoding: response.headers.get('content-encoding'), text: await response.text() };
  };
  // The second time too, when it is packed already.
  for (const encoding of ['gzip, br', 'gzip'])
    expect(await asked('long.js', encoding)).toEqual({ encoding: 'gzip', text: long });
  expect(await asked('long.js', 'identity')).toEqual({ encoding: null, text: long });
  expect((await asked('font.woff2', 'gzip')).encoding).toBeNull();
  expect((await asked('main.js', 'gzip')).encoding).toBeNull();
});

test('a page that was not built is empty', () => {
  expect(loadPage(path.join(temporaryDirectory(), 'none')).size).toBe(0);
});

test('an asset is kept for ever, because its name changes with it; every address that is no file is the page', async () => {
  const { send } = await serve([], { pageFolder: smallPage() });
  const asset = await send('/assets/main.js', { token: null });
  expect(await asset.text()).toBe('export {};');
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  for (const page of ['/', '/index.html', '/s/some-session']) {
    const response = await send(page, { token: null });
    expect(await response.text(), page).toContain('<div id="app">');
    expect(response.headers.get('cache-control'), page).toBe('no-store');
  }
  for (const nothing of ['/api/x', '/assets/other.js', '/favicon.ico']) {
    expect((await send(nothing)).status, nothing).toBe(404);
  }
});
