/** What those see who watch over a hub. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { START } from '../../src/store/conformance/events.js';
import { openStore } from '../../src/store.js';
import { HANGS_MS } from '../support/patience.js';
import { serve } from './serve.js';

async function hub() {
  const folder = await mkdtemp(join(tmpdir(), 'glassbox-hub-'));
  const store = await openStore(join(folder, 'store.db'));
  const tokens = [{ name: 'runner', token: 'r', scopes: ['work'] }] as const;
  const server = await startServer({ store, port: 0, tokens, projects: [folder] });
  onTestFinished(async () => {
    await server.close();
    await store.close();
    await rm(folder, { recursive: true });
  });
  const get = (path: string, token?: string) =>
    fetch(server.url + path, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
  return { store, server, get };
}

test('a hub lives and is ready without a token, and says nothing else; without its store it is not ready', async () => {
  const { store, get } = await hub();
  expect(await (await get('/health')).json()).toEqual({ ok: true });
  expect(await (await get('/ready')).json()).toEqual({ ready: true });
  await store.close();
  const answer = await get('/ready');
  expect([answer.status, await answer.json()]).toEqual([503, { ready: false, problem: 'the store failed' }]);
  expect((await get('/health')).status).toBe(200);
});

test('its figures are for who may look, in the format of Prometheus, of as many kinds as there are', async () => {
  const { store, server, get } = await hub();
  expect((await get('/metrics')).status).toBe(401);
  expect((await get('/metrics', 'r')).status).toBe(403);
  await store.startRun({ runId: 'r1', agent: 'fake', startedAt: START });
  for (let n = 0; n < 30; n += 1) await get(`/api/secret-${n}`, server.token);
  for (let n = 0; n < 3; n += 1) await get('/api/jobs', 'nobody');
  const text = await (await get('/metrics', server.token)).text();
  const lines = text.trim().split('\n');
  for (const line of lines)
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [\d.e+-]+)$/);
  expect(lines).toContain('glassbox_sessions_running 1');
  expect(lines).toContain('glassbox_requests_total{kind="other",status="4xx"} 30');
  // Who guesses is seen.
  expect(lines).toContain('glassbox_requests_total{kind="jobs",status="4xx"} 3');
  expect(lines.length).toBeLessThan(60);
  expect(text).not.toContain('secret');
});

test('of what there is not it says so', async () => {
  const { server, get } = await hub();
  for (const [path, message] of [
    ['/api/jobs/nothing', 'There is no such job.'],
    ['/api/sessions/nothing', 'There is no such session.'],
    ['/api/runs/nothing/events', 'There is no such run.'],
  ] as const) {
    const answer = await get(path, server.token);
    expect([answer.status, await answer.json()]).toEqual([404, { error: { code: 'not-found', message } }]);
  }
});

test('a hub that leaves says so, tells readers to come again, and answers what was asked before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'glassbox-hub-'));
  const store = await openStore(join(folder, 'store.db'));
  let go = (): void => {};
  const waits = new Promise<void>((resolve) => {
    go = resolve;
  });
  let isAsked = (): void => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const slow = {
    ...store,
    async search(...query: Parameters<typeof store.search>) {
      isAsked();
      await waits;
      return store.search(...query);
    },
  };
  const requests: object[] = [];
  const server = await startServer({
    ...{ store: slow, port: 0, projects: [folder], drainMs: 60_000 },
    onRequest: (request) => requests.push(request),
  });
  const headers = { authorization: `Bearer ${server.token}` };
  const stream = await fetch(`${server.url}/api/sessions/stream`, { headers });
  const answer = fetch(`${server.url}/api/search?text=secret-word`, { headers });
  await asked;
  const closing = server.close();
  expect(await stream.text()).toMatch(/retry: \d+\n\n$/);
  go();
  expect((await answer).status).toBe(200);
  await closing;
  await expect(fetch(`${server.url}/health`)).rejects.toThrow();
  expect(requests).toContainEqual({
    ...{ method: 'GET', kind: 'search', status: 200, principal: 'program', ms: expect.any(Number) },
  });
  expect(JSON.stringify(requests)).not.toContain('secret-word');
  await store.close();
  await rm(folder, { recursive: true });
});

test('a hub that leaves waits for nobody who connected and asked nothing', async () => {
  const { server, send } = await serve([], { drainMs: HANGS_MS });
  const { hostname, port } = new URL(server.url);
  const silent = connect(Number(port), hostname);
  await once(silent, 'connect');
  // It is let in before this is answered.
  await send('/health');
  const closed = once(silent.resume(), 'close');
  await server.close();
  await closed;
});
