/** A picture for a phone: two minutes, once, over https only, and somebody who is in agrees; over plain http others only look. */
import { expect, test } from 'vitest';
import { createClient } from '../../src/client/index.js';
import { createKey, guestMark, macOf } from '../../src/proof/index.js';
import { createAddress } from '../../src/server/address.js';
import { createGuests, GUEST_MS } from '../../src/server/guests.js';
import { comeIn } from './as-browser.js';
import { serve, smallPage } from './serve.js';

const REACHED = { behindProxy: true, allowHosts: ['phone.example'], pageFolder: smallPage(), log: () => {} };

test('who comes by it waits, is shown with its number, is let in once, and the code is worth nothing afterwards', async () => {
  const { client, server } = await serve([], REACHED);
  const { link, endsAt } = await client.createGuestLink();
  expect(link).toMatch(/^https:\/\/phone\.example\/#guest=/);
  expect(endsAt).toBeGreaterThan(Date.now());
  const coming = comeIn(server.url, link);
  await expect
    .poll(() => client.guests())
    .toMatchObject([{ name: 'Firefox on Linux', mark: expect.stringMatching(/^\d{4}$/) }]);
  expect(await client.browsers()).toEqual([]);
  const [guest] = await client.guests();
  await client.answerGuest(guest?.id ?? '', true);
  const { credential } = await coming;
  expect(guest?.mark).toBe(await guestMark(credential.page.publicText));
  expect(await client.guests()).toEqual([]);
  expect(await client.browsers()).toHaveLength(1);
  await expect(comeIn(server.url, link)).rejects.toMatchObject({ status: 401 });
  await expect(client.answerGuest(guest?.id ?? '', true)).rejects.toMatchObject({ status: 404 });
});

test('who is sent away is not in', async () => {
  const { client, server } = await serve([], REACHED);
  const coming = comeIn(server.url, (await client.createGuestLink()).link);
  const refused = expect(coming).rejects.toMatchObject({ status: 401 });
  await expect.poll(() => client.guests()).toHaveLength(1);
  await client.answerGuest((await client.guests())[0]?.id ?? '', false);
  await refused;
  expect(await client.browsers()).toEqual([]);
});

test('a code is worth nothing after two minutes, and of many only the last few are', async () => {
  let now = 1000;
  const guests = createGuests(() => now);
  const from = { name: 'Phone', pageKey: (await createKey()).publicText };
  const ask = async (code: string) => guests.ask('said', await macOf(code, 'said'), from);
  const old = guests.createCode();
  expect(old.endsAt).toBe(1000 + GUEST_MS);
  now = old.endsAt;
  expect(await ask(old.code)).toBeUndefined();
  const first = guests.createCode();
  for (let count = 0; count < 4; count += 1) guests.createCode();
  expect(await ask(first.code)).toBeUndefined();
  const last = guests.createCode();
  const asked = ask(last.code);
  await expect.poll(() => guests.waiting()).toHaveLength(1);
  expect(await ask(last.code)).toBeUndefined();
  expect(guests.admit(guests.waiting()[0]?.id ?? '', true)).toBe(true);
  expect(await asked).toBe(true);
});

test('a server that only this machine reaches has no picture, and says what to do', async () => {
  const { client } = await serve([]);
  await expect(client.createGuestLink()).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('--tls-cert'),
  });
});

test.each<[string, Partial<Parameters<typeof createAddress>[0]>, string[]]>([
  ['this machine', {}, []],
  ['plain http', { host: '192.168.1.2' }, []],
  ['a certificate', { host: '192.168.1.2', scheme: 'https' }, ['https://192.168.1.2:4177']],
  ['all addresses', { host: '0.0.0.0', scheme: 'https', allowHosts: ['desk.local'] }, ['https://desk.local:4177']],
  [
    'a proxy',
    { behindProxy: true, allowHosts: ['gb.example', 'other:8443'] },
    ['https://gb.example', 'https://other:8443'],
  ],
])('where others find it: %s', (_, options, found) => {
  const host = options.host ?? '127.0.0.1';
  expect(createAddress({ host, bound: { address: host, port: 4177 }, ...options }).elsewhere).toEqual(found);
});

test('beyond this machine without https: only with --insecure, and only to look', async () => {
  await expect(serve([], { host: '0.0.0.0' })).rejects.toThrow(/--insecure/);
  const { client, server } = await serve([], {
    host: '0.0.0.0',
    insecure: true,
    tokens: [{ name: 'all', token: 't', scopes: ['view', 'run', 'approve', 'operate', 'administer'] }],
  });
  const all = createClient({ url: server.url, token: 't' });
  expect(await all.health()).toMatchObject({ readOnly: true });
  const forbidden = [
    () => client.start({ agent: 'claude', prompt: 'Go' }),
    () => all.createLink(),
    () => all.browsers(),
    () => all.interrupt('r'),
  ];
  for (const ask of forbidden)
    await expect(ask()).rejects.toMatchObject({ status: 403, message: expect.stringContaining('--insecure') });
});

test('on this machine it takes nothing away', async () => {
  const { client } = await serve([], { insecure: true });
  expect(await client.health()).toMatchObject({ readOnly: false });
});

test('a server that others reach says that it knows no name for them, not that it is alone', async () => {
  const { client } = await serve([], { host: '0.0.0.0', behindProxy: true, log: () => {} });
  await expect(client.createGuestLink()).rejects.toThrow('it does not know by which name');
  const alone = await serve([], {});
  await expect(alone.client.createGuestLink()).rejects.toThrow('it listens to this machine only');
});
