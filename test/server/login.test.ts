/** How browsers come in, stay in and are sent away; and what their signed requests are worth to others. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { register } from '../../src/client/log-in.js';
import { createSignedFetch } from '../../src/client/signed-fetch.js';
import { codeIn, createKey, formatAuthorization, readAuthorization, sign, statement } from '../../src/proof/index.js';
import type { ServerOptions } from '../../src/server/index.js';
import { openKnownBrowsers } from '../../src/server/known-browsers.js';
import { openLobby } from '../../src/server/lobby.js';
import { createLogin } from '../../src/server/login.js';
import { openServerSecrets } from '../../src/server/server-secrets.js';
import { answer, ask, init, result, toolUse } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { lastingPort } from '../support/lasting-port.js';
import { comeBack, comeIn, load, placeAt, WINDOW, welcomeIn } from './as-browser.js';
import { type Served, serve, smallPage } from './serve.js';

const json = { 'content-type': 'application/json' };

function open(options: Partial<ServerOptions> = {}, script = answer('x')): Promise<Served> {
  return serve(script, { pageFolder: smallPage(), log: () => {}, ...options });
}

afterEach(() => {
  vi.useRealTimers();
});

describe('coming in', () => {
  test('a link lets one browser in, once', async () => {
    const { server } = await open();
    const link = await server.createLoginLink();
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#login=\w{4}-\w{4}-\w{4}$/);
    const browser = await comeIn(server.url, link);
    expect((await browser.fetch('/api/health')).status).toBe(200);
    await expect(comeIn(server.url, link)).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
    expect((await browser.fetch('/api/health')).status).toBe(200);
  });

  test('of two browsers with one link one comes in', async () => {
    const { server } = await open();
    const link = await server.createLoginLink();
    const both = await Promise.allSettled([comeIn(server.url, link), comeIn(server.url, link)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('wrong codes of strangers do not lock out the right one', async () => {
    const { server } = await open();
    const link = await server.createLoginLink();
    const wrong = Array.from({ length: 30 }, (_, index) => `AAAA-AAAA-AA${String(index).padStart(2, '0')}`);
    for (const code of wrong) await expect(comeIn(server.url, code)).rejects.toMatchObject({ status: 401 });
    expect((await (await comeIn(server.url, link)).fetch('/api/health')).status).toBe(200);
  });

  test('the code itself is never sent', async () => {
    const { server } = await open();
    const link = await server.createLoginLink();
    const sent: string[] = [];
    const place = await placeAt(server.url);
    const spy: typeof fetch = (url, init) => {
      sent.push(`${url} ${JSON.stringify(init)}`);
      return (place.fetch ?? fetch)(url, init);
    };
    await register({ ...place, fetch: spy }, codeIn(link) ?? '');
    expect(sent).toHaveLength(1);
    expect(sent.join()).not.toContain(codeIn(link));
  });

  test('a page that no window loaded has nothing to come in with', async () => {
    const { server } = await open();
    const ways: Record<string, string>[] = [
      {},
      { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' },
      { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' },
      { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'navigate' },
      { ...WINDOW, 'service-worker-navigation-preload': 'true' },
      { ...WINDOW, 'service-worker': 'script' },
    ];
    for (const headers of ways) expect(welcomeIn((await load(`${server.url}/s/x`, headers)).body)).toBeUndefined();
    expect(welcomeIn((await load(`${server.url}/s/x`)).body)).toBeDefined();
    const place = {
      ...(await placeAt(server.url)),
      welcome: { boot: (await hello(server.url)).boot, ticket: 'guessed' },
    };
    const code = codeIn(await server.createLoginLink()) ?? '';
    await expect(register(place, code)).rejects.toMatchObject({ status: 401 });
  });

  test('what a browser keeps for this address is dropped when somebody else left a worker there, and pages are void', async () => {
    const { server } = await open();
    const browser = await comeIn(server.url, await server.createLoginLink());
    const before = welcomeIn((await load(`${server.url}/`)).body);
    const worker = await load(`${server.url}/worker.js`, { 'service-worker': 'script' });
    expect(worker).toMatchObject({ status: 404, headers: { 'clear-site-data': '"storage", "cache"' } });
    expect((await browser.fetch('/api/health')).status).toBe(401);
    expect(welcomeIn((await load(`${server.url}/`)).body)).not.toEqual(before);
    expect((await (await comeBack(server.url, browser.key)).fetch('/api/health')).status).toBe(200);
    expect((await load(`${server.url}/`)).headers).not.toHaveProperty('clear-site-data');
  });

  test('scripts and styles of the page are named with their digests', async () => {
    const { server } = await open();
    const { body, headers } = await load(`${server.url}/`);
    const [, digest] = /src="\/assets\/main\.js" integrity="(sha384-[^"]+)"/.exec(body) ?? [];
    expect(body).toContain(`<script type="importmap">{"integrity":{"/assets/main.js":"${digest}"}}</script>`);
    expect(headers['content-security-policy']).toMatch(/script-src 'self' 'sha256-[^']+';/);
    expect(headers['cross-origin-opener-policy']).toBe('noopener-allow-popups');
    const firefox = await load(`${server.url}/`, { ...WINDOW, 'user-agent': 'Firefox/140.0' });
    expect(firefox.headers['cross-origin-opener-policy']).toBe('same-origin');
  });
});

describe('where the page lives', () => {
  test('another name of this machine leads home, another port tells the way', async () => {
    const { server } = await open();
    const { port } = new URL(server.url);
    const named = await load(`${server.url}/s/x?row=1`, { ...WINDOW, host: `localhost:${port}` });
    expect(named).toMatchObject({ status: 302, headers: { location: `${server.url}/s/x?row=1` } });
    const forwarded = await load(`${server.url}/`, { ...WINDOW, host: '127.0.0.1:1' });
    expect(forwarded.status).toBe(421);
    expect(forwarded.headers['content-type']).toContain('text/html');
    expect(forwarded.body).toContain('--allow-host 127.0.0.1:1');
    expect(welcomeIn(forwarded.body)).toBeUndefined();
  });

  test('a host that is written into the page is no markup', async () => {
    const { server } = await open();
    const { body } = await load(`${server.url}/`, { ...WINDOW, host: '127.0.0.1:1<img>"&' });
    expect(body).not.toContain('<img>');
  });

  test('a name that is allowed is a home of its own', async () => {
    const { server } = await open({ allowHosts: ['box.example', '127.0.0.1:1'] });
    for (const host of ['box.example', '127.0.0.1:1']) {
      expect(welcomeIn((await load(`${server.url}/`, { ...WINDOW, host })).body), host).toBeDefined();
    }
    expect((await hello(server.url, 'https://box.example')).status).toBe(200);
    expect((await hello(server.url, 'http://127.0.0.1:1')).status).toBe(200);
    expect((await hello(server.url, 'ftp://box.example')).status).toBe(403);
  });

  test('what one server certified is worth nothing at another port, though both are of one user', async () => {
    const stateFolder = temporaryDirectory();
    const one = await open({ stateFolder });
    const browser = await comeIn(one.server.url, await one.server.createLoginLink());
    const two = await open({ stateFolder });
    expect((await hello(two.server.url, one.server.url)).status).toBe(403);
    await expect(comeBack(two.server.url, browser.key)).rejects.toMatchObject({ status: 401 });
    const { boot } = await hello(two.server.url, two.server.url);
    const relayed = createSignedFetch({ ...browser.credential, boot }, relay(one.server.url, two.server.url));
    expect((await relayed.fetch('/api/health')).status).toBe(401);
  });
});

describe('signed requests', () => {
  /** Sends a signed request, changed on its way. */
  async function changed(change: (url: string, init: RequestInit, headers: Headers) => [string, RequestInit]) {
    const { server, project } = await open();
    const browser = await comeIn(server.url, await server.createLoginLink());
    const tamper: typeof fetch = (url, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set('origin', server.url);
      const [to, as] = change(String(url), init, headers);
      return fetch(to, { ...as, headers });
    };
    const signed = createSignedFetch(browser.credential, tamper);
    const body = JSON.stringify({ agent: 'claude', prompt: 'go', cwd: project });
    return (await signed.fetch('/api/runs', { method: 'POST', headers: json, body })).status;
  }

  const altered = (change: (said: NonNullable<ReturnType<typeof readAuthorization>>) => object) =>
    changed((url, init, headers) => {
      const said = readAuthorization(headers.get('authorization') ?? '');
      if (!said) throw new Error('it was not signed');
      headers.set('authorization', formatAuthorization({ ...said, ...change(said) }));
      return [url, init];
    });

  test('as it was signed it is heard', async () => {
    expect(await changed((url, init) => [url, init])).toBe(201);
  });

  test('another body, path, query, method or origin is refused', async () => {
    const other = JSON.stringify({ agent: 'claude', prompt: 'something else' });
    expect(await changed((url, init) => [url, { ...init, body: other }])).toBe(401);
    expect(await changed((url, init) => [`${url}?a=b`, init])).toBe(401);
    expect(await changed((url, init) => [url.replace('runs', 'sessions/x/say'), init])).toBe(401);
    expect(await changed((url, init) => [url, { ...init, method: 'PUT' }])).toBe(401);
    expect(
      await changed((url, init, headers) => {
        headers.delete('origin');
        return [url, init];
      }),
    ).toBe(401);
  });

  test.each([
    ['another count', ({ count }: { count: number }) => ({ count: count + 1 })],
    ['another browser', () => ({ browser: 'x' })],
    ['another key', () => ({ pageKey: 'x' })],
    ['another certificate', () => ({ certificate: 'x' })],
    ['another origin', () => ({ origin: 'http://127.0.0.1:1' })],
    ['no signature', () => ({ signature: '' })],
    ['no count', () => ({ count: 'x' })],
  ])('%s is refused', async (_, change) => {
    expect(await altered(change)).toBe(401);
  });

  test('none is heard twice, and those that overtake each other are all heard', async () => {
    const { server } = await open();
    const { credential } = await comeIn(server.url, await server.createLoginLink());
    const held: Parameters<typeof fetch>[] = [];
    const hold: typeof fetch = async (url, init) => {
      held.push([url, init]);
      return new Response('{}');
    };
    const signed = createSignedFetch(credential, hold);
    for (let count = 0; count < 5; count += 1) await signed.fetch('/api/health');
    const again = async (index: number) => {
      const [url, init] = held[index] ?? [];
      return (await fetch(String(url), init)).status;
    };
    for (const index of [4, 0, 2, 1, 3]) expect(await again(index)).toBe(200);
    for (const index of [0, 1, 2, 3, 4]) expect(await again(index)).toBe(401);
  });
});

describe('staying in', () => {
  test('an open page and the browser itself are known after a start, and what was signed before is not', async () => {
    const stateFolder = temporaryDirectory();
    const port = await lastingPort();
    const first = await open({ stateFolder, port });
    const { url } = first.server;
    const browser = await comeIn(url, await first.server.createLoginLink());
    await first.server.close();
    const second = await open({ stateFolder, port });
    expect(second.server.url).toBe(url);
    expect((await browser.fetch('/api/health')).status).toBe(200);
    expect((await (await comeBack(url, browser.key)).fetch('/api/health')).status).toBe(200);
    const old = createSignedFetch(browser.credential, (asked, init) =>
      String(asked).includes('hello') ? Promise.reject(new Error('no hello')) : fetch(asked, init),
    );
    await expect(old.fetch('/api/health')).rejects.toThrow('no hello');
  });

  test('without a place to remember it nobody is known after a start', async () => {
    const port = await lastingPort();
    const first = await open({ port });
    const { url } = first.server;
    const browser = await comeIn(url, await first.server.createLoginLink());
    await first.server.close();
    await open({ port });
    await expect(browser.fetch('/api/health')).rejects.toThrow('Something else answers');
    await expect(comeBack(url, browser.key)).rejects.toMatchObject({ status: 401 });
  });

  test('what is kept is for this user alone and lets nobody in', async () => {
    const stateFolder = path.join(temporaryDirectory(), 'server');
    const { server } = await open({ stateFolder });
    const link = await server.createLoginLink();
    await comeIn(server.url, link);
    const files = readdirSync(stateFolder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    expect(files.map(({ name }) => name.replace(/^\w+\.json$/, 'browser')).sort()).toEqual([
      'browser',
      'epoch',
      'identity',
    ]);
    for (const { parentPath, name } of files) {
      const file = path.join(parentPath, name);
      expect(statSync(file).mode & 0o777, name).toBe(0o600);
      expect(readFileSync(file, 'utf8')).not.toContain(codeIn(link));
      expect(readFileSync(file, 'utf8')).not.toContain(server.token);
    }
    expect(statSync(stateFolder).mode & 0o777).toBe(0o700);
  });

  test('who did not come for three months is not known any more', () => {
    const day = 24 * 60 * 60 * 1000;
    const folder = temporaryDirectory();
    const one = { id: 'one', name: 'x', origin: 'http://x', key: 'x', createdAt: 0, usedAt: 0 };
    openKnownBrowsers(folder, () => 0).keep(one);
    expect(openKnownBrowsers(folder, () => 89 * day).find('one')).toEqual(one);
    expect(openKnownBrowsers(folder, () => 91 * day).find('one')).toBeUndefined();
    expect(openKnownBrowsers(folder, () => 91 * day).list()).toEqual([]);
  });

  test('an id leads to no other file', () => {
    const folder = temporaryDirectory();
    writeFileSync(path.join(folder, 'x.json'), '{"id":"../x","name":"","origin":"","key":"","createdAt":0,"usedAt":0}');
    const browsers = openKnownBrowsers(path.join(folder, 'server'), () => 0);
    expect(browsers.find('../../x')).toBeUndefined();
    expect(browsers.forget('../../x')).toBe(false);
    expect(readdirSync(folder)).toEqual(['x.json']);
  });

  test('browsers are listed, and one that is forgotten is out, with what it watches', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { server, client } = await open({ stateFolder: temporaryDirectory() });
    const one = await comeIn(server.url, await server.createLoginLink());
    const two = await comeIn(server.url, await server.createLoginLink());
    const listed = await client.browsers();
    expect(listed.map(({ id }) => id).sort()).toEqual([one.key.id, two.key.id].sort());
    expect(listed[0]).toMatchObject({ name: 'Firefox on Linux', origin: server.url });
    expect(listed[0]).not.toHaveProperty('key');
    const stream = await one.fetch('/api/sessions/stream');
    const watched = await two.fetch('/api/sessions/stream');

    await client.forgetBrowser(one.key.id);
    expect((await one.fetch('/api/health')).status).toBe(401);
    expect((await two.fetch('/api/health')).status).toBe(200);
    vi.advanceTimersByTime(20_000);
    await stream.text();
    await watched.body?.cancel();
    await expect(client.forgetBrowser(one.key.id)).rejects.toMatchObject({ status: 404 });
    await expect(comeBack(server.url, one.key)).rejects.toMatchObject({ status: 401 });
  });

  test('a browser that is forgotten while it loads a page is not known again by that', async () => {
    const [own, page] = await Promise.all([createKey(), createKey()]);
    const [secrets, browsers, origin] = [openServerSecrets(), openKnownBrowsers(), 'http://127.0.0.1:1'];
    browsers.keep({ id: 'own', name: 'x', origin, key: own.publicText, createdAt: Date.now(), usedAt: Date.now() });
    const { logIn } = createLogin({ lobby: { ...(await openLobby()), secrets, browsers }, log: () => {} });
    const said = { browser: 'own', pageKey: page.publicText };
    const here = { origin, boot: secrets.boot(), ticket: secrets.ticket('me') };
    const request = { boot: secrets.boot(), ...said, signature: await sign(own, statement.open({ ...here, ...said })) };
    const from = { origin, userAgent: '', user: 'me' };
    expect(await logIn(request, { ...from, user: 'another' })).toBeUndefined();
    expect(await logIn(request, from)).toMatchObject({ browser: 'own' });
    const answer = logIn(request, from);
    browsers.forget('own');
    expect(await answer).toBeUndefined();
    expect(browsers.list()).toEqual([]);
  });

  test('a browser makes a link for the next one, with a code that can be typed', async () => {
    const { server } = await open({ readOnly: true });
    const browser = await comeIn(server.url, await server.createLoginLink());
    const made = await browser.fetch('/api/links', { method: 'POST', headers: json, body: '{}' });
    expect(made.status).toBe(201);
    const { link, code } = (await made.json()) as { link: string; code: string };
    expect(codeIn(link)).toBe(code);
    expect((await (await comeIn(server.url, code.toLowerCase())).fetch('/api/health')).status).toBe(200);
  });
});

test('a decision says who made it, and by which way', async () => {
  const input = { command: 'touch x' };
  const script = [init(), toolUse('t', 'Bash', input), ask('q', 't', 'Bash', input), { hear: '"q"' }, result('done')];
  const { server, client } = await open({}, script);
  const browser = await comeIn(server.url, await server.createLoginLink());
  const { runId } = await client.start({ agent: 'claude', prompt: 'go' });
  const resolved: unknown[] = [];
  for await (const event of client.events(runId)) {
    if (event.type === 'approval-resolve') resolved.push(event);
    if (event.type !== 'approval-request') continue;
    const url = `/api/runs/${runId}/approvals/${event.id}/approve`;
    expect((await browser.fetch(url, { method: 'POST', headers: json, body: '{}' })).status).toBe(200);
  }
  expect(resolved).toMatchObject([{ decision: 'allow', by: 'person', who: 'Firefox on Linux', via: 'page' }]);
});

async function hello(url: string, origin = url): Promise<{ status: number; boot: string }> {
  const response = await fetch(`${url}/api/hello?${new URLSearchParams({ origin, nonce: 'x' })}`);
  const { boot = '' } = (await response.json()) as { boot?: string };
  return { status: response.status, boot };
}

/** Somebody at one address who passes on what he hears to another. */
function relay(from: string, to: string): typeof fetch {
  return (url, init) => fetch(String(url).replace(from, to), init);
}
