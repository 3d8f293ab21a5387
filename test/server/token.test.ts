/** Tokens that are kept: shown once, hashed, expiring, revocable, for some projects only; who did what; how often somebody may ask. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client/index.js';
import { deedOf } from '../../src/server/audit.js';
import { createKeptTokenIssuer } from '../../src/server/kept-token-issuer.js';
import { createAllowance } from '../../src/server/rate-limit.js';
import { keep } from '../../src/store/conformance/case.js';
import { START } from '../../src/store/conformance/events.js';
import { openStore } from '../../src/store/index.js';
import { openHub } from '../../src/store.js';
import { answer } from '../fake-agent/lines.js';
import { serve } from './serve.js';

const AT = { agent: 'fake', startedAt: START };

async function servedWith(request: { scopes: string[]; projects?: string[]; lifeMs?: number }) {
  const served = await serve(answer('hello'));
  const { token, record } = await served.client.createToken({ name: 'ci', ...request });
  return { ...served, token, record, theirs: createClient({ url: served.server.url, token }) };
}

describe('a token', () => {
  test('is told once, kept as a digest, lets in with its scopes, and no longer when it is revoked', async () => {
    const { client, store, token, record, theirs } = await servedWith({ scopes: ['view'] });
    expect(token).toMatch(/^gb_[\w-]{43}$/);
    expect(record).toMatchObject({ name: 'ci', scopes: ['view'], holds: true, createdBy: 'program' });
    const listed = await client.tokens();
    expect(listed).toHaveLength(1);
    expect(JSON.stringify([listed, await store.fleet?.tokens.list()])).not.toContain(token.slice(3));
    await theirs.sessions();
    await expect(theirs.postJob({ agent: 'claude', prompt: 'go', project: 'shop' })).rejects.toMatchObject({
      status: 403,
      message: 'ci may not do this: it needs the scope run.',
    });
    await client.revokeToken(record.id);
    await expect(client.revokeToken(record.id)).rejects.toMatchObject({ status: 404 });
  });

  test('that was revoked or is too old is unknown as soon as it is looked at again', async () => {
    const store = await openStore(':memory:');
    let now = 0;
    const tokens = store.fleet?.tokens;
    if (!tokens) throw new Error('no fleet');
    const { createToken } = await import('../../src/server/new-token.js');
    const made = await createToken(store.fleet as never, { name: 'ci', scopes: ['view'] }, 'ann');
    const issuer = createKeptTokenIssuer(tokens, { now: () => now });
    const ask = () => issuer({ authorization: `Bearer ${made.token}` } as never);
    const principal = await ask();
    expect(principal).toMatchObject({ name: 'ci' });
    await tokens.revoke(made.record.id);
    now = 6000;
    expect(await ask()).toBe('unknown');
    expect(typeof principal === 'object' && (await principal.isKnown())).toBe(false);
    const old = await createToken(store.fleet as never, { name: 'old', scopes: ['view'], lifeMs: -1 }, 'ann');
    expect(await issuer({ authorization: `Bearer ${old.token}` } as never)).toBe('unknown');
    expect(await issuer({ authorization: 'Bearer other' } as never)).toBeUndefined();
    await store.close();
  });

  test.each<[what: string, wish: { name?: string; scopes: string[]; projects?: string[] }, message: RegExp]>([
    ['without a scope', { scopes: [] }, /Say what it may do/],
    ['with a scope that is misspelt', { scopes: ['aprove'] }, /the nearest is "approve"/],
    ['that works and approves', { scopes: ['work', 'approve'] }, /cannot also have approve/],
    ['that administers some projects', { scopes: ['administer'], projects: ['shop'] }, /decides about everybody/],
    ['for no project', { scopes: ['view'], projects: [] }, /at least one project/],
    ['with a name that hides', { name: '\u202Eci', scopes: ['view'] }, /needs a name/],
  ])('%s is refused', async (_, wish, message) => {
    const { client } = await serve();
    await expect(client.createToken({ name: 'ci', ...wish })).rejects.toThrow(message);
  });
});

test('who is let in for some projects sees and touches nothing else', async () => {
  const { store, server, theirs } = await servedWith({
    scopes: ['view', 'operate', 'approve', 'run'],
    projects: ['shop'],
  });
  await store.startRun({ ...AT, runId: 'r1', project: 'shop' });
  await store.startRun({ ...AT, runId: 'r2', project: 'blog' });
  await store.startRun({ ...AT, runId: 'r3' });
  for (const runId of ['r1', 'r2', 'r3']) await keep(store, { runId }, { usd: 1, text: 'needle' });
  const runsOf = async () => (await theirs.sessions()).items.flatMap(({ runs }) => runs.map(({ runId }) => runId));
  expect(await runsOf()).toEqual(['r1']);
  expect((await theirs.search({ text: 'needle' })).items).toHaveLength(1);
  expect(await theirs.cost({ by: 'agent' })).toMatchObject([{ spent: { usd: 1 } }]);
  for (const hidden of ['r2', 'r3']) {
    await expect(theirs.session(hidden)).rejects.toMatchObject({ status: 404 });
    await expect(theirs.remove(hidden)).rejects.toMatchObject({ status: 404 });
    await expect(theirs.cancel(hidden)).rejects.toMatchObject({ status: 404 });
    await expect(theirs.approve(hidden, 'a1')).rejects.toMatchObject({ status: 404 });
    await expect(theirs.events(hidden).next()).rejects.toMatchObject({ status: 404 });
  }
  await expect(theirs.start({ agent: 'claude', prompt: 'go' })).rejects.toMatchObject({ status: 403 });
  await expect(theirs.postJob({ agent: 'claude', prompt: 'go', project: 'blog' })).rejects.toMatchObject({
    status: 403,
  });
  const stop = new AbortController();
  for await (const told of theirs.watchSessions({ signal: stop.signal })) {
    if (told.type === 'presence') continue;
    expect(told.sessions.flatMap(({ runs }) => runs.map(({ runId }) => runId))).toEqual(['r1']);
    stop.abort();
  }
  expect(server.attendance()).toBeGreaterThanOrEqual(0);
  // A worker may have more projects: their names are nobody else's business.
  const offer = { principal: 'w', labels: [], agents: [], capacity: 1, busy: 0 };
  await store.fleet?.workers.note({ ...offer, name: 'both', projects: ['blog', 'shop'] });
  await store.fleet?.workers.note({ ...offer, name: 'other', projects: ['blog'] });
  expect(await theirs.workers()).toMatchObject([{ name: 'both', projects: ['shop'] }]);
});

test('who did what is noted, also what was refused, and cannot be changed', async () => {
  const { client, theirs, record, send } = await servedWith({ scopes: ['view', 'operate'] });
  await expect(theirs.cancel('none')).rejects.toMatchObject({ status: 404 });
  await expect(theirs.start({ agent: 'claude', prompt: 'secret words' })).rejects.toMatchObject({ status: 403 });
  await client.revokeToken(record.id);
  const { items } = await client.audit();
  expect(items.map(({ principal, deed, subject, detail }) => [principal, deed, subject, detail])).toEqual([
    ['program', 'token revoke', record.id, undefined],
    ['ci', 'run', undefined, 'refused (403)'],
    ['ci', 'stop', 'none', 'refused (404)'],
    ['program', 'token create', record.id, 'ci: view operate'],
  ]);
  expect(JSON.stringify(items)).not.toContain('secret words');
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect((await send('/api/audit', { method })).status, method).toBe(404);
});

test('who wants a token and may not have it is noted once, as is one that is made', async () => {
  const { client, server } = await serve();
  const { token } = await client.createToken({ name: 'bob', scopes: ['view'] });
  const bob = createClient({ url: server.url, token });
  await expect(bob.createToken({ name: 'evil', scopes: ['administer'] })).rejects.toMatchObject({ status: 403 });
  await expect(client.createToken({ name: 'odd', scopes: ['work', 'approve'] })).rejects.toMatchObject({ status: 400 });
  const { items } = await client.audit();
  expect(items.map(({ principal, deed, detail }) => [principal, deed, detail])).toEqual([
    ['program', 'token create', 'refused (400)'],
    ['bob', 'token create', 'refused (403)'],
    ['program', 'token create', 'bob: view'],
  ]);
});

test('whatever changes something is noted by its path, or says itself what it is', async () => {
  const { send } = await serve();
  const { paths } = (await (await send('/openapi.json')).json()) as { paths: Record<string, object> };
  const changing = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).flatMap((method) => (/^(post|put|patch|delete)$/.test(method) ? [`${method} ${path}`] : [])),
  );
  const unnoted = changing.filter((one) => {
    const [method = '', path = ''] = one.split(' ');
    return deedOf(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x')) === undefined;
  });
  expect(unnoted.sort()).toEqual([
    // Nobody is in yet; the log says who was let in.
    'post /api/login',
    // What workers say all the time is in their jobs.
    'post /api/work/beat',
    'post /api/work/claim',
    'post /api/work/jobs/{job}',
  ]);
  expect(deedOf('POST', '/api/runs/%E0%A4%A/cancel')).toEqual({ deed: 'stop', subject: '%E0%A4%A' });
});

test('what was begun is noted with what it is: which run, which job', async () => {
  const { client } = await serve(answer('hello'));
  const { runId } = await client.start({ agent: 'claude', prompt: 'go' });
  const { id } = await client.postJob({ agent: 'claude', prompt: 'go', project: 'shop' });
  expect((await client.audit()).items.map(({ deed, subject }) => [deed, subject])).toEqual([
    ['job post', id],
    ['run', runId],
  ]);
});

test('what is told through a store at a hub is noted as if it were said on the page', async () => {
  const { client, server, store, token } = await servedWith({ scopes: ['view', 'approve', 'operate'] });
  await keep(store, { ...AT, runId: 'r1' });
  const far = openHub({ url: server.url, token });
  onTestFinished(() => far.close());
  await far.label((await store.session('r1'))?.id ?? '', { name: 'Mine' });
  await far.tell('r1', { type: 'answer', approval: 'q1', answer: { type: 'deny' } }, { by: 'person' });
  const noted = (await client.audit()).items.filter(({ principal }) => principal === 'ci');
  expect(noted.map(({ deed, subject }) => [deed, subject])).toEqual([
    ['deny', 'r1'],
    ['label', expect.any(String)],
  ]);
});

describe('how often somebody may ask', () => {
  test('a burst is fine, and then as often as is allowed', () => {
    let now = 0;
    const allowance = createAllowance({ burst: 3, perSecond: 2 }, () => now);
    expect([1, 2, 3, 4].map(() => allowance.take('ann'))).toEqual([0, 0, 0, 1]);
    expect(allowance.take('bob')).toBe(0);
    expect(allowance.isEmpty('ann')).toBe(true);
    now = 1000;
    expect([allowance.take('ann'), allowance.take('ann'), allowance.take('ann')]).toEqual([0, 0, 1]);
  });

  test('who asks too often hears for how long not to, and nobody else does', async () => {
    const never = { burst: 2, perSecond: 1e-6 };
    const { client, send, server } = await serve([], {
      rateLimits: { known: { burst: 4, perSecond: 1e-6 }, unknown: never },
    });
    const { token } = await client.createToken({ name: 'ci', scopes: ['view'] });
    const statuses = async (count: number, given: string) => {
      const all = [];
      for (let index = 0; index < count; index += 1) all.push((await send('/api/agents', { token: given })).status);
      return all;
    };
    expect(await statuses(6, token)).toEqual([200, 200, 200, 200, 429, 429]);
    const refused = await send('/api/agents', { token });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await createClient({ url: server.url, token: server.token }).tokens()).length).toBe(1);
    expect(await statuses(4, 'wrong')).toEqual([401, 401, 429, 429]);
  });
});

describe('plain http', () => {
  test('is spoken to this machine only', async () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1'])
      await expect(serve([], { host })).rejects.toThrow(/--tls-cert and --tls-key.*--behind-proxy/);
  });

  test('or to a proxy in front that speaks https', async () => {
    const { send } = await serve([], { host: '0.0.0.0', behindProxy: true });
    expect((await send('/api/agents')).status).toBe(200);
  });
});
