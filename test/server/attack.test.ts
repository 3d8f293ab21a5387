/** One test per attack: each begins with what an attacker sends and ends with the refusal. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { answer } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { serve, smallPage } from './serve.js';

const json = { 'content-type': 'application/json' };
const start = { method: 'POST', headers: json, body: JSON.stringify({ agent: 'claude', prompt: 'go' }) };

/** `fetch` does not let a caller lie about the host. */
function sendRaw(url: string, headers: Record<string, string>, path = '/api/health', method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe('who asks', () => {
  test('without a token nothing of the API answers', async () => {
    const { send } = await serve();
    for (const path of [
      '/api/health',
      '/api/sessions',
      '/api/sessions/stream',
      '/api/search?text=x',
      '/openapi.json',
    ]) {
      expect((await send(path, { token: null })).status, path).toBe(401);
    }
    expect((await send('/api/runs', { ...start, token: null })).status).toBe(401);
  });

  test('a wrong token is refused, also one that begins right', async () => {
    const { send, server } = await serve();
    for (const token of ['x', server.token.slice(0, -1), `${server.token}x`]) {
      expect((await send('/api/health', { token })).status).toBe(401);
    }
  });
});

describe('where it comes from', () => {
  test('DNS rebinding: a foreign host name is refused', async () => {
    const { server } = await serve();
    const authorization = `Bearer ${server.token}`;
    expect(await sendRaw(server.url, { authorization, host: 'evil.example' })).toBe(403);
    expect(await sendRaw(server.url, { authorization, host: '127.0.0.1.evil.example' })).toBe(403);
    expect(await sendRaw(server.url, { authorization, host: 'localhost:1' })).toBe(200);
  });

  test('CSRF: a foreign page is refused, also with a token, and so is one that hides its origin', async () => {
    const { send, server } = await serve(answer('x'));
    const from = (origin: string) => send('/api/runs', { ...start, headers: { ...json, origin } });
    expect((await from('https://evil.example')).status).toBe(403);
    expect((await from('null')).status).toBe(403);
    expect((await from('http://127.0.0.1:1')).status).toBe(403);
    expect((await from(server.url)).status).toBe(201);
  });

  test('no answer allows another origin to read it', async () => {
    const { send } = await serve();
    const response = await send('/api/health', { headers: { origin: 'https://evil.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('what is sent', () => {
  test('every answer carries a strict content security policy', async () => {
    const { send } = await serve();
    const policy = (await send('/api/health')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test.each([
    ['an answer', '/api/health'],
    ['a stream', '/api/sessions/stream'],
    ['the page', '/'],
    ['a refusal', '/api/sessions/none'],
    ['nothing', '/nothing.txt'],
  ])('%s cannot be sniffed, framed, kept, told of or opened by others', async (_, path) => {
    const { send } = await serve([], { pageFolder: smallPage() });
    const { headers, body } = await send(path);
    await body?.cancel();
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  });

  test('nobody is given a cookie, and one is worth nothing', async () => {
    const { send, server } = await serve([], { pageFolder: smallPage() });
    for (const path of ['/', '/login?code=x', '/api/health']) {
      expect((await send(path)).headers.get('set-cookie'), path).toBeNull();
    }
    const headers = { cookie: `glassbox_session=${server.token}` };
    expect((await send('/api/health', { token: null, headers })).status).toBe(401);
  });

  test('a body that is no JSON is refused, and nothing is done', async () => {
    const { send } = await serve(answer('x'));
    for (const path of ['/api/runs', '/api/runs/r/approvals/a/approve']) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        expect((await send(path, { ...start, headers: { 'content-type': type } })).status, type).toBe(415);
      }
    }
  });

  test('what fails inside is told to the log, with its cause, and not to whoever asks', async () => {
    const logged: string[] = [];
    const store = await openStore(':memory:');
    const failing = {
      ...store,
      list: async () => {
        throw new Error('no list', { cause: new Error('the secret place is gone') });
      },
    };
    const { send } = await serve([], { store: failing, log: (text) => logged.push(text) });
    const response = await send('/api/sessions');
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: { code: 'internal', message: 'The server failed at this request. Its log says why.' },
    });
    expect(logged.join('\n')).toMatch(
      /GET \/api\/sessions: Error: no list[\s\S]*caused by Error: the secret place is gone/,
    );
  });

  test('path traversal reaches no file', async () => {
    const { server } = await serve();
    for (const path of [
      '/../package.json',
      '/..%2f..%2fetc/passwd',
      '/assets/../../etc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/C:/Windows/win.ini',
    ]) {
      expect(await sendRaw(server.url, {}, path), path).toBe(404);
    }
  });

  test('a body that is too large is refused', async () => {
    const { send } = await serve();
    const body = JSON.stringify({ agent: 'claude', prompt: 'x'.repeat(13 * 1024 * 1024) });
    expect((await send('/api/runs', { ...start, body })).status).toBe(413);
    const unknownSize = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024)) });
    const endless = { ...start, body: unknownSize, duplex: 'half' } as RequestInit;
    expect((await send('/api/runs', endless)).status).toBe(413);
  });

  test.each([
    ['no JSON', '{', /^The body is not JSON\.$/],
    ['a missing field', '{"agent":"claude"}', /^prompt: Invalid input/],
    ['an unknown field', '{"agent":"claude","prompt":"go","program":"/bin/sh"}', /^Unrecognized key: "program"$/],
    ['an empty prompt', '{"agent":"claude","prompt":""}', /^prompt: Too small/],
  ])('%s is refused with a reason', async (_, body, reason) => {
    const { send } = await serve();
    const response = await send('/api/runs', { ...start, body });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe('invalid-request');
    expect(error.message).toMatch(reason);
  });

  test('one letter can be searched for, nothing cannot', async () => {
    const { send } = await serve();
    expect((await send('/api/search?text=x')).status).toBe(200);
    expect((await send('/api/search?text=')).status).toBe(400);
  });

  test('an unknown agent and unknown things are 404', async () => {
    const { send } = await serve();
    expect((await send('/api/runs', { ...start, body: '{"agent":"hal","prompt":"open the door"}' })).status).toBe(404);
    for (const path of ['/api/sessions/none', '/api/runs/none/events', '/api/nothing']) {
      expect((await send(path)).status, path).toBe(404);
    }
  });
});

describe('what is allowed', () => {
  test('agents start only in allowed directories', async () => {
    const { send, project } = await serve(answer('x'));
    const at = (cwd: string) =>
      send('/api/runs', { ...start, body: JSON.stringify({ agent: 'claude', prompt: 'go', cwd }) });
    expect((await at('/')).status).toBe(403);
    expect((await at(`${project}-other`)).status).toBe(403);
    expect((await at(`${project}/../..`)).status).toBe(403);
    symlinkSync(temporaryDirectory(), `${project}/link`);
    expect((await at(`${project}/link`)).status).toBe(403);
    expect((await at(`${project}/link/not-there-yet`)).status).toBe(403);
    expect((await at(project)).status).toBe(201);
    expect((await at(`${project}/a\0b`)).status).toBe(400);
    mkdirSync(`${project}/..dots`);
    expect((await at(`${project}/..dots`)).status).toBe(201);
  });

  test('read-only: nothing starts, nothing is answered, nothing is removed', async () => {
    const { send } = await serve([], { readOnly: true });
    expect((await send('/api/runs', start)).status).toBe(403);
    expect((await send('/api/runs/r/approvals/a/approve', { method: 'POST', headers: json, body: '{}' })).status).toBe(
      403,
    );
    expect((await send('/api/sessions/s', { method: 'DELETE' })).status).toBe(403);
    expect((await send('/api/health')).status).toBe(200);
  });
});

describe('who does not get on', () => {
  /** Sends what it is given and waits for the end of the connection; the answer. */
  const sendSlowly = (url: string, begun: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url);
      let heard = '';
      const socket = connect(Number(port), hostname, () => socket.write(begun));
      socket.setEncoding('utf8').on('data', (text) => {
        heard += text;
      });
      socket.on('error', reject).on('close', () => resolve(heard));
    });

  test.each([
    ['headers', 'GET /api/health HTTP/1.1\r\nhost: 127.0.0.1\r\nx-'],
    [
      'a body',
      'POST /api/login HTTP/1.1\r\nhost: HOST\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    ],
  ])('with %s is told so and cut off', async (_name, begun) => {
    const { server } = await serve([], { requestTimeoutMs: 50 });
    const { host } = new URL(server.url);
    expect(await sendSlowly(server.url, begun.replace('HOST', host))).toMatch(/^HTTP\/1\.1 408 /);
  });
});

test('a connection is kept longer than a balancer keeps it, so that none asks while it is being closed', async () => {
  const { server } = await serve([]);
  const { headers } = await fetch(`${server.url}/health`);
  expect(headers.get('keep-alive')).toBe('timeout=75');
});
