/** Browsers and hubs over one Postgres behind a load balancer: whichever hub answers, a browser is known, once, until it is sent away. */
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client/index.js';
import { createSignedFetch } from '../../src/client/signed-fetch.js';
import { verifyServer } from '../../src/client/verify-server.js';
import {
  createKey,
  formatAuthorization,
  guestMark,
  readAuthorization,
  sign,
  statement,
} from '../../src/proof/index.js';
import { openSharedLobby } from '../../src/server/shared-lobby.js';
import { openStore } from '../../src/store/index.js';
import { glassbox } from '../cli/glassbox.js';
import { freshLocation } from '../support/postgres.js';
import { openRoundRobin } from '../support/round-robin.js';
import { comeBack, comeIn, load, welcomeIn } from './as-browser.js';
import { serve, smallPage } from './serve.js';

const json = { 'content-type': 'application/json' };

async function hubs() {
  const location = await freshLocation();
  const front = await openRoundRobin();
  const open = async () => {
    const store = await openStore(location);
    const hub = await serve([], {
      store,
      ...{ behindProxy: true, allowHosts: [front.host], pageFolder: smallPage(), log: () => {} },
    });
    onTestFinished(() => store.close());
    return hub;
  };
  const [one, two] = [await open(), await open()];
  front.lead([one.server.url, two.server.url]);
  return { location, front, one, two, open };
}

test('a link of one hub lets a browser in at another, and every hub knows it then', async () => {
  const { front, one, two } = await hubs();
  const link = await one.server.createLoginLink();
  expect(link).toMatch(`https://${front.host}/#login=`);
  const browser = await comeIn(front.url, link);
  for (let time = 0; time < 6; time += 1) expect((await browser.fetch('/api/health')).status).toBe(200);
  await expect(comeIn(front.url, link)).rejects.toMatchObject({ status: 401 });
  const again = await comeBack(front.url, browser.key);
  for (let time = 0; time < 4; time += 1) expect((await again.fetch('/api/sessions')).status).toBe(200);
  expect(Math.min(...front.shares.values())).toBeGreaterThan(4);
  expect(await two.client.browsers()).toEqual(await one.client.browsers());

  const made = await browser.fetch('/api/links', { method: 'POST', headers: json, body: '{}' });
  const { link: next } = (await made.json()) as { link: string };
  expect(next).toMatch(`${front.url}/#login=`);
  expect((await (await comeIn(front.url, next)).fetch('/api/health')).status).toBe(200);
});

test('of many browsers with one link one comes in, whichever hub they ask', async () => {
  const { front, one } = await hubs();
  const link = await one.server.createLoginLink();
  const all = await Promise.allSettled(Array.from({ length: 6 }, () => comeIn(front.url, link)));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a hub that comes later, alone and after the others, knows who was let in', async () => {
  const { front, one, two, open } = await hubs();
  const browser = await comeIn(front.url, await one.server.createLoginLink());
  await one.server.close();
  await two.server.close();
  await expect(browser.fetch('/api/health').then(({ status }) => status)).resolves.toBe(502);
  const three = await open();
  front.lead([three.server.url]);
  expect((await browser.fetch('/api/health')).status).toBe(200);
  expect(three.server.key).toBe(one.server.key);
});

test('what one hub heard no other hears again', async () => {
  const { front, one, two } = await hubs();
  const browser = await comeIn(front.url, await one.server.createLoginLink());
  const sent: string[] = [];
  front.lead([one.server.url]);
  const send: typeof fetch = (url, init) => {
    sent.push(new Headers(init?.headers).get('authorization') ?? '');
    return fetch(url, init);
  };
  // Numbers that the page itself has not used yet.
  const signed = createSignedFetch(browser.credential, send);
  expect((await signed.fetch('/api/health')).status).toBe(200);
  const replay = (hub: typeof one, authorization: string) =>
    fetch(`${hub.server.url}/api/health`, { headers: { authorization } });
  const [said = ''] = sent;
  expect((await replay(two, said)).status).toBe(401);
  expect((await replay(one, said)).status).toBe(401);
  // Nor what was signed for another number.
  const parts = readAuthorization(said);
  if (!parts) throw new Error('that was no authorization');
  expect((await replay(two, formatAuthorization({ ...parts, count: parts.count + 7 }))).status).toBe(401);
});

test('who is sent away at one hub is out at all of them', async () => {
  const { front, one, two } = await hubs();
  const browser = await comeIn(front.url, await one.server.createLoginLink());
  expect((await browser.fetch('/api/health')).status).toBe(200);
  await two.client.forgetBrowser(browser.key.id);
  for (let time = 0; time < 4; time += 1) expect((await browser.fetch('/api/health')).status).toBe(401);
  await expect(comeBack(front.url, browser.key)).rejects.toMatchObject({ status: 401 });
  await expect(one.client.forgetBrowser(browser.key.id)).rejects.toMatchObject({ status: 404 });
});

test('the command line lists and sends away those whom the hubs of a store know', async () => {
  const { location, front, one } = await hubs();
  const browser = await comeIn(front.url, await one.server.createLoginLink());
  const serveCommand = (...words: string[]) => glassbox(['serve', '--store', location, ...words]);
  const listed = await serveCommand('--browsers');
  expect(listed).toMatchObject({ status: 0, stdout: expect.stringContaining(browser.key.id) });
  expect(listed.stdout).toContain(front.url);
  expect(await serveCommand('--forget', browser.key.id)).toMatchObject({ status: 0 });
  expect((await browser.fetch('/api/health')).status).toBe(401);
  expect(await serveCommand('--forget', browser.key.id)).toMatchObject({ status: 3 });
});

test('a guest who waits at one hub is seen and let in at another', async () => {
  const { front, one, two } = await hubs();
  const { link } = await one.client.createGuestLink();
  front.lead([two.server.url]);
  const coming = comeIn(front.url, link);
  await expect.poll(() => one.client.guests()).toMatchObject([{ mark: expect.stringMatching(/^\d{4}$/) }]);
  const [guest] = await one.client.guests();
  expect(await two.client.guests()).toEqual(await one.client.guests());
  await one.client.answerGuest(guest?.id ?? '', true);
  const { credential, fetch: send } = await coming;
  expect(guest?.mark).toBe(await guestMark(credential.page.publicText));
  front.lead([one.server.url]);
  expect((await send('/api/health')).status).toBe(200);
  await expect.poll(() => two.client.guests()).toEqual([]);
  await expect(comeIn(front.url, link)).rejects.toMatchObject({ status: 401 });
  await expect(two.client.answerGuest(guest?.id ?? '', true)).rejects.toMatchObject({ status: 404 });
});

test('a service worker that was found at one hub voids the pages of all', async () => {
  const { front, one, two } = await hubs();
  const browser = await comeIn(front.url, await one.server.createLoginLink());
  const before = welcomeIn((await load(`${front.url}/`)).body);
  await load(`${two.server.url}/worker.js`, { 'service-worker': 'script' });
  await expect.poll(async () => (await browser.fetch('/api/health')).status).toBe(401);
  for (const { server } of [one, two])
    await expect.poll(async () => (await load(`${server.url}/`)).body).not.toContain(before?.boot);
  expect((await (await comeBack(front.url, browser.key)).fetch('/api/health')).status).toBe(200);
});

test('nothing that stands in the store lets a page in', async () => {
  const { location, front, one } = await hubs();
  const browser = await comeIn(front.url, await one.server.createLoginLink());
  const store = await openStore(location);
  onTestFinished(() => store.close());
  const logins = store.fleet?.logins;
  if (!logins) throw new Error('hubs share logins on Postgres');
  // The hubs' own key certifies a page; one that never came in is unknown all the same.
  const lobby = await openSharedLobby(logins);
  const page = await createKey();
  const said = { origin: front.url, browser: browser.key.id, pageKey: page.publicText };
  const certificate = await sign(lobby.identity, statement.page({ ...said, epoch: await lobby.secrets.epoch() }));
  const forged = createSignedFetch({ ...browser.credential, page, certificate });
  expect((await forged.fetch('/api/health')).status).toBe(401);
  expect((await browser.fetch('/api/health')).status).toBe(200);
});

test('a load balancer without a server behind it is nobody else', async () => {
  const { front, one } = await hubs();
  front.lead(['http://127.0.0.1:1']);
  await expect(verifyServer(front.url, one.server.key)).rejects.toThrow('The server is away (502).');
  front.lead([one.server.url]);
  await expect(verifyServer(front.url, one.server.key)).resolves.toBeTypeOf('string');
  expect(await createClient({ url: front.url, token: one.server.token }).browsers()).toEqual([]);
});
