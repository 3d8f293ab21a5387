/** One test per attack: each begins with what an attacker sends and ends with the refusal. */
import { symlinkSync } from 'node:fs';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { answer } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { serve } from './serve.js';

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

  test('a login link works once and gives a cookie that scripts cannot read', async () => {
    const { send, server } = await serve();
    const link = new URL(server.createLoginLink());
    const first = await send(`${link.pathname}${link.search}`, { token: null });
    expect(first.status).toBe(302);
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    const session = cookie.split(';')[0] ?? '';
    expect((await send('/api/health', { token: null, headers: { cookie: session } })).status).toBe(200);
    expect((await send(`${link.pathname}${link.search}`, { token: null })).status).toBe(401);
  });

  test('guessing login codes is slowed down', async () => {
    const { send, server } = await serve();
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess += 1)
      statuses.push((await send(`/login?code=${guess}`, { token: null })).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(statuses.slice(10)).toEqual([429, 429]);
    const link = new URL(server.createLoginLink());
    expect((await send(`${link.pathname}${link.search}`, { token: null })).status).toBe(429);
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

  test('CSRF: a foreign page with the cookie is refused, and so is one that hides its origin', async () => {
    const { send, server } = await serve(answer('x'));
    const link = new URL(server.createLoginLink());
    const cookie =
      (await send(`${link.pathname}${link.search}`, { token: null })).headers.get('set-cookie')?.split(';')[0] ?? '';
    const from = (origin?: string) =>
      send('/api/runs', { ...start, token: null, headers: { ...json, cookie, ...(origin && { origin }) } });
    expect((await from('https://evil.example')).status).toBe(403);
    expect((await from('null')).status).toBe(403);
    expect((await from()).status).toBe(403);
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
    ['no JSON', '{'],
    ['a missing field', '{"agent":"claude"}'],
    ['an unknown field', '{"agent":"claude","prompt":"go","program":"/bin/sh"}'],
    ['an empty prompt', '{"agent":"claude","prompt":""}'],
  ])('%s is refused with a reason', async (_, body) => {
    const { send } = await serve();
    const response = await send('/api/runs', { ...start, body });
    expect(response.status).toBe(400);
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
    expect((await at(project)).status).toBe(201);
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
