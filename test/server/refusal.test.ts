/** What is refused says why and what to do, in the words and with the status that people and programs rely on. */
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ErrorCode, GlassboxError } from '../../src/event/index.js';
import { checkBody } from '../../src/server/body.js';
import { refuseError } from '../../src/server/refusal.js';
import { contentPolicy } from '../../src/server/request-check.js';
import { startServer } from '../../src/server/server.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { load } from './as-browser.js';
import { serve } from './serve.js';

async function refused(error: Error): Promise<{ status: number; said: unknown; logged: string[] }> {
  const logged: string[] = [];
  const app = new Hono();
  app.get('/x', () => {
    throw error;
  });
  app.onError((thrown, context) => refuseError(thrown, context, (text) => logged.push(text)));
  const response = await app.request('/x');
  return { status: response.status, said: await response.json(), logged };
}

describe('an error', () => {
  const statuses: Record<ErrorCode, number> = {
    'invalid-request': 400,
    'unsupported-capability': 400,
    'unknown-agent': 404,
    'not-installed': 409,
    'spawn-failed': 500,
    'not-found': 404,
    conflict: 409,
    unauthorized: 401,
    forbidden: 403,
    'read-failed': 500,
    'write-failed': 500,
    store: 503,
  };

  test.each(Object.entries(statuses))('%s is %i, and the log hears only of failures', async (code, status) => {
    const answer = await refused(new GlassboxError(code as ErrorCode, 'It is so.'));
    expect(answer).toMatchObject({ status, said: { error: { code, message: 'It is so.' } } });
    expect(answer.logged).toHaveLength(status >= 500 ? 1 : 0);
  });

  test('a body that cannot be read is no failure of the server; anything unforeseen is', async () => {
    const body = await refused(new HTTPException(400));
    expect(body).toMatchObject({ status: 400, said: { error: { code: 'invalid-request' } }, logged: [] });
    for (const unforeseen of [new HTTPException(418), new Error('oh')]) {
      const answer = await refused(unforeseen);
      expect(answer).toMatchObject({ status: 500, said: { error: { code: 'internal' } } });
      expect(answer.logged.join()).toMatch(/^GET \/x: /);
    }
  });
});

test.each<[what: string, headers: Record<string, string>, status: number, says: string]>([
  ['nothing', {}, 200, ''],
  ['as much as is allowed', { 'content-length': '10', 'content-type': 'application/json' }, 200, ''],
  ['a byte more', { 'content-length': '11', 'content-type': 'application/json' }, 413, 'The request is too large.'],
  ['of no length', { 'transfer-encoding': 'chunked' }, 413, 'Send the body with its length.'],
  ['with a charset', { 'content-length': '1', 'content-type': 'Application/JSON; charset=utf-8' }, 200, ''],
  [
    'of a longer name',
    { 'content-length': '1', 'content-type': 'application/jsonx' },
    415,
    'Send the body as application/json.',
  ],
  ['of no type', { 'content-length': '1' }, 415, 'Send the body as application/json.'],
])('a body: %s', async (_, headers, status, says) => {
  const app = new Hono();
  app.use(checkBody(10));
  app.post('/', (context) => context.text(''));
  const response = await app.request('/', { method: 'POST', headers });
  expect(response.status).toBe(status);
  const text = await response.text();
  if (says !== '') expect(JSON.parse(text)).toEqual({ error: { code: 'invalid-request', message: says } });
});

test('a page may load from here, run nothing else, and be shown in no other', () => {
  expect(contentPolicy(['abc']).split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self' 'sha256-abc'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]);
  expect(contentPolicy()).toContain("script-src 'self'; ");
});

test('who is refused at the door hears what to do', async () => {
  const { send, server } = await serve([], { readOnly: true });
  const said = async (path: string, init?: Parameters<typeof send>[1]) => {
    const response = await send(path, init);
    return [response.status, ((await response.json()) as { error: object }).error];
  };
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  const origin = 'https://evil.example';
  expect(await said('/api/health', { token: null })).toEqual([
    401,
    { code: 'unauthorized', message: 'Open the link that `glassbox serve --link` prints, or send a bearer token.' },
  ]);
  expect(await said('/api/runs', { ...post, headers: { ...post.headers, origin } })).toEqual([
    403,
    { code: 'forbidden', message: 'Requests from other pages are refused.' },
  ]);
  expect(await said('/api/runs', post)).toEqual([
    403,
    { code: 'forbidden', message: 'This server is read-only. Start it without --read-only to do this.' },
  ]);
  expect(await said('/api/nothing')).toEqual([
    404,
    { code: 'not-found', message: 'There is nothing at this address.' },
  ]);
  expect(await said('/api/sessions/none')).toEqual([404, { code: 'not-found', message: 'There is no such session.' }]);
  expect(await said('/api/runs/none/events')).toEqual([404, { code: 'not-found', message: 'There is no such run.' }]);
  expect(await said(`/api/hello?origin=${origin}&nonce=x`)).toEqual([
    403,
    { code: 'forbidden', message: `This server is ${server.url}.` },
  ]);
  const elsewhere = await load(`${server.url}/api/health`, { host: 'evil.example' });
  expect([elsewhere.status, JSON.parse(elsewhere.body).error]).toEqual([
    403,
    { code: 'forbidden', message: 'This server does not answer to that host name. Add it with --allow-host.' },
  ]);
});

test('a login that fails says whether loading the page again helps', async () => {
  const { send, server } = await serve();
  const { boot } = (await (await send(`/api/hello?origin=${server.url}&nonce=x`)).json()) as { boot: string };
  const logIn = async (origin: string, named: string) => {
    const body = JSON.stringify({ boot: named, pageKey: 'p', browserKey: 'k', mac: 'm' });
    const headers = { 'content-type': 'application/json', origin };
    const response = await send('/api/login', { method: 'POST', token: null, headers, body });
    return [response.status, ((await response.json()) as { error: object }).error];
  };
  expect(await logIn(server.url, 'earlier')).toEqual([401, { code: 'stale', message: 'Load the page again.' }]);
  expect(await logIn(server.url, boot)).toEqual([
    401,
    { code: 'unauthorized', message: 'This browser is not let in.' },
  ]);
});

test('a server says what it is and may do', async () => {
  // Other tests of this process leave work trees.
  vi.stubEnv('GLASSBOX_STATE_DIR', temporaryDirectory());
  onTestFinished(() => void vi.unstubAllEnvs());
  const { client, project } = await serve([], { version: '1.2.3', readOnly: true });
  expect(await client.health()).toEqual({
    ok: true,
    version: '1.2.3',
    // Of whoever asks.
    scopes: ['view', 'administer'],
    readOnly: true,
    projects: [project],
    store: ':memory:',
    running: 0,
    pid: process.pid,
    bypass: false,
    worktrees: [],
  });
  expect(await (await serve()).client.health()).toMatchObject({ version: '0', readOnly: false });
});

test('a server that cannot listen says why and what to do', async () => {
  const { server, store } = await serve();
  const port = Number(new URL(server.url).port);
  await expect(startServer({ store, port })).rejects.toMatchObject({
    code: 'conflict',
    message: `Port ${port} is taken. Choose another one with --port, or 0 for any.`,
  });
  // An address that is nobody's, for documents.
  await expect(startServer({ store, host: '192.0.2.1', port: 0, behindProxy: true })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/^The server could not listen on port 0 \(E[A-Z]+\)\.$/),
  });
});
