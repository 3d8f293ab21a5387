/** Who may do what: every route names the scope that it needs, and only those who have it get through. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCHEME } from '../../src/proof/index.js';
import { SCOPES, type Scope } from '../../src/server/principal.js';
import type { Token } from '../../src/server/token-issuer.js';
import { answer, ask, init, result, toolUse } from '../fake-agent/lines.js';
import { serve, startServing } from './serve.js';

/** Every route: the scope that it needs, and which answers it has. */
const routes: [method: string, path: string, scope: Scope | 'open', statuses: string][] = [
  ['get', '/api/hello', 'open', '200 400 403 500'],
  ['post', '/api/login', 'open', '200 400 401 403 413 415 500'],
  ['post', '/api/links', 'administer', '201 401 403 500'],
  ['post', '/api/guests', 'administer', '201 401 403 409 500'],
  ['get', '/api/guests', 'administer', '200 401 403 500'],
  ['post', '/api/guests/{guest}', 'administer', '200 400 401 403 404 413 415 500'],
  ['get', '/api/browsers', 'administer', '200 401 403 500'],
  ['delete', '/api/browsers/{browser}', 'administer', '200 400 401 403 404 500'],
  ['get', '/api/health', 'view', '200 401 403 500'],
  ['get', '/api/agents', 'view', '200 401 403 500'],
  ['get', '/api/sessions', 'view', '200 400 401 403 500 503'],
  ['get', '/api/sessions/stream', 'view', '200 401 403 500 503'],
  ['get', '/api/sessions/{session}', 'view', '200 400 401 403 404 409 500 503'],
  ['get', '/api/sessions/{session}/open', 'view', '200 400 401 403 404 409 500 503'],
  ['delete', '/api/sessions/{session}', 'operate', '200 400 401 403 404 409 500 503'],
  ['get', '/api/sessions/{session}/turns', 'view', '200 400 401 403 404 409 500 503'],
  ['get', '/api/sessions/{session}/changes', 'view', '200 400 401 403 404 409 500 503'],
  ['get', '/api/sessions/{session}/changes/lines', 'view', '200 400 401 403 404 409 500 503'],
  ['get', '/api/sessions/{session}/changes/makers', 'view', '200 400 401 403 404 409 500 503'],
  ['get', '/api/sessions/{session}/comments', 'view', '200 400 401 403 404 409 500 503'],
  ['post', '/api/sessions/{session}/comments', 'operate', '201 400 401 403 404 409 413 415 500 503'],
  ['patch', '/api/sessions/{session}/comments/{comment}', 'operate', '200 400 401 403 404 409 413 415 500 503'],
  ['delete', '/api/sessions/{session}/comments/{comment}', 'operate', '200 400 401 403 404 409 500 503'],
  ['post', '/api/sessions/{session}/comments/send', 'run', '201 400 401 403 404 409 413 415 500 503'],
  ['get', '/api/sessions/{session}/rewind', 'operate', '200 400 401 403 404 409 500 503'],
  ['get', '/api/sessions/{session}/rewind/hunks', 'operate', '200 400 401 403 404 409 500 503'],
  ['post', '/api/sessions/{session}/rewind', 'operate', '200 400 401 403 404 409 413 415 500 503'],
  ['post', '/api/sessions/{session}/rewind/undo', 'operate', '200 400 401 403 404 409 500 503'],
  ['get', '/api/parked', 'view', '200 401 403 500 503'],
  ['post', '/api/sessions/{session}/go-on', 'run', '200 400 401 403 404 409 413 415 500 503'],
  ['delete', '/api/sessions/{session}/go-on', 'operate', '200 400 401 403 404 409 500 503'],
  ['get', '/api/sessions/{session}/export', 'view', '200 400 401 403 404 409 500 503'],
  ['post', '/api/sessions/{session}/say', 'run', '201 400 401 403 404 409 413 415 500 503'],
  ['post', '/api/runs', 'run', '201 400 401 403 404 409 413 415 500'],
  ['get', '/api/start', 'run', '200 400 401 403 500 503'],
  ['post', '/api/attachments', 'run', '201 400 401 403 409 413 415 500'],
  ['get', '/api/files', 'run', '200 400 401 403 500 503'],
  ['get', '/api/runs/{run}/events', 'view', '200 400 401 403 404 500 503'],
  ['post', '/api/runs/{run}/approvals/{approval}/approve', 'approve', '200 400 401 403 404 409 413 415 500 503'],
  ['post', '/api/runs/{run}/approvals/{approval}/deny', 'approve', '200 400 401 403 404 409 413 415 500 503'],
  ['post', '/api/runs/{run}/approvals/{approval}/answer', 'approve', '200 400 401 403 404 409 413 415 500 503'],
  ['post', '/api/runs/{run}/interrupt', 'operate', '200 400 401 403 404 409 500 503'],
  ['post', '/api/runs/{run}/cancel', 'operate', '200 400 401 403 404 409 500 503'],
  ['get', '/api/decisions', 'view', '200 400 401 403 500 503'],
  ['get', '/api/comparisons', 'view', '200 401 403 500 503'],
  ['get', '/api/search', 'view', '200 400 401 403 500 503'],
  ['get', '/api/cost', 'view', '200 400 401 403 500 503'],
  ['get', '/api/tokens', 'administer', '200 400 401 403 500 503'],
  ['post', '/api/tokens', 'administer', '201 400 401 403 413 415 500 503'],
  ['delete', '/api/tokens/{token}', 'administer', '200 400 401 403 404 500 503'],
  ['get', '/api/audit', 'administer', '200 400 401 403 500 503'],
  ['post', '/api/jobs', 'run', '201 400 401 403 413 415 500 503'],
  ['get', '/api/jobs', 'view', '200 400 401 403 500 503'],
  ['get', '/api/jobs/{job}', 'view', '200 400 401 403 404 500 503'],
  ['post', '/api/jobs/{job}/cancel', 'operate', '200 400 401 403 404 409 500 503'],
  ['get', '/api/workers', 'view', '200 400 401 403 500 503'],
  ['get', '/api/budgets', 'view', '200 400 401 403 500 503'],
  ['post', '/api/work/claim', 'work', '200 400 401 403 413 415 500 503'],
  ['post', '/api/work/beat', 'work', '200 400 401 403 413 415 500 503'],
  ['patch', '/api/sessions/{session}', 'operate', '200 400 401 403 404 409 413 415 500 503'],
  ['post', '/api/work/jobs/{job}', 'work', '200 400 401 403 413 415 500 503'],
];

interface Described {
  security?: Record<string, string[]>[];
  requestBody?: { required?: boolean };
  responses: Record<string, { description: string }>;
}

interface Document {
  openapi: string;
  info: object;
  paths: Record<string, Record<string, Described>>;
  components: { securitySchemes: object };
}

test('the document of the API has every route, the scope that it needs and its answers', async () => {
  const { send } = await serve();
  const { openapi, info, paths, components } = (await (await send('/openapi.json')).json()) as Document;
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security, requestBody, responses }]) => {
      expect(security, `${path}: that it is open must be said`).toBeDefined();
      expect(requestBody?.required, path).not.toBe(false);
      for (const { description } of Object.values(responses)) expect(description, path).toMatch(/^[A-Z].+\.$/);
      const scopes = (security ?? []).map((way) => Object.values(way).flat());
      expect(new Set(scopes.flat()).size, path).toBeLessThanOrEqual(1);
      // Whoever asks too often is refused everywhere, so that the table need not say it.
      const { 429: tooMany, ...others } = responses;
      expect(tooMany, path).toBeDefined();
      return [method, path, scopes[0]?.[0] ?? 'open', Object.keys(others).join(' ')];
    }),
  );
  expect(described.sort()).toEqual([...routes].sort());
  expect(components.securitySchemes).toEqual({
    token: { type: 'http', scheme: 'bearer' },
    browser: { type: 'http', scheme: SCHEME },
  });
  expect({ openapi, info }).toMatchObject({ openapi: '3.1.0', info: { title: 'glassbox' } });
});

test.each([
  [
    { name: 'ci', token: 'x', scopes: ['aprove'] },
    '"ci": there is no scope "aprove"; the nearest is "approve". There are view,',
  ],
  [{ name: 'ci', token: 'x', scopes: ['view', 'admin'] }, 'the nearest is "administer"'],
  [{ name: 'ci', token: '' }, 'The token of "ci" is empty.'],
  [{ name: '', token: 'x' }, 'Each token needs a name'],
  [{ name: 'ci', token: 'x', scope: ['view'] }, 'A token has no option "scope"'],
])('a token that would not do what it was meant for is refused: %j', async (token, message) => {
  await expect(serve([], { tokens: [token as Token] })).rejects.toThrow(message);
});

const scoped = routes.filter(([, , scope]) => scope !== 'open');

describe('one server for all routes', () => {
  const tokens = SCOPES.flatMap((scope) => [
    { name: 'one', token: `with ${scope}`, scopes: [scope] },
    { name: 'all others', token: `without ${scope}`, scopes: SCOPES.filter((other) => other !== scope) },
  ]);
  let served: Awaited<ReturnType<typeof startServing>>;
  beforeAll(async () => {
    served = await startServing([], { tokens });
  });
  afterAll(() => served.close());

  test.each(scoped)('%s %s: only with its scope', async (method, path, scope) => {
    const url = path.replace(/\{\w+\}/g, 'none');
    const body = method === 'post' ? '{}' : undefined;
    const ask = (token: string | null) =>
      served.send(url, {
        token,
        method: method.toUpperCase(),
        ...(body && { body, headers: { 'content-type': 'application/json' } }),
      });
    const status = async (token: string | null) => {
      const response = await ask(token);
      await response.body?.cancel();
      return response.status;
    };
    const refused = await ask(`without ${scope}`);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain(`all others may not do this: it needs the scope ${scope}.`);
    expect(await status(null)).toBe(401);
    expect([401, 403, 429, 500]).not.toContain(await status(`with ${scope}`));
  });
});

describe('an agent that asks for nothing', () => {
  const start = { agent: 'claude', prompt: 'go', permission: 'bypass' } as const;
  const refused = { status: 403, code: 'forbidden', message: expect.stringMatching(/"serve": \{ "bypass": true \}/) };

  test('is not started over HTTP', async () => {
    const { client } = await serve(answer('x'));
    await expect(client.start(start)).rejects.toMatchObject(refused);
    await expect(client.start(start)).rejects.toThrow('Choose another permission, or allow it');
    expect((await client.sessions()).items).toEqual([]);
    expect(await client.health()).toMatchObject({ bypass: false });
  });

  test('is not started by a setting either', async () => {
    const { client } = await serve(answer('x'), { runDefaults: { permission: 'bypass' } });
    await expect(client.start({ agent: 'claude', prompt: 'go' })).rejects.toMatchObject(refused);
    const asked = serve(answer('x'), { runDefaults: async () => ({ permission: 'bypass' }) });
    await expect((await asked).client.start({ agent: 'claude', prompt: 'go' })).rejects.toMatchObject(refused);
  });

  test('is not what a question turns into by "always"', async () => {
    const modes = ['bypassPermissions', 'acceptEdits'].map((mode) => ({
      type: 'setMode',
      mode,
      destination: 'session',
    }));
    const plan = { plan: 'All of it' };
    const lines = [toolUse('t', 'ExitPlanMode', plan), ask('q1', 't', 'ExitPlanMode', plan, modes), { hear: 'q1' }];
    const { client } = await serve([init(), ...lines, result('x')]);
    const { runId } = await client.start({ agent: 'claude', prompt: 'go' });
    for await (const event of client.events(runId)) {
      if (event.type === 'approval-resolve') expect(event).toMatchObject({ remembered: [{ what: ['accept-edits'] }] });
      if (event.type !== 'approval-request') continue;
      const position = (mode: string) => event.suggestions?.findIndex(({ what }) => what.includes(mode)) ?? -1;
      const always = (...modes: string[]) => client.approve(runId, event.id, { remember: modes.map(position) });
      await expect(always('accept-edits', 'bypass')).rejects.toMatchObject(refused);
      await always('accept-edits');
    }
  });

  test('is started where the owner of the machine allows it, and not continued when he no longer does', async () => {
    let isAllowed = true;
    const { client } = await serve(answer('x'), { allowsBypass: async () => isAllowed });
    expect(await client.health()).toMatchObject({ bypass: true });
    const { runId, session } = await client.start(start);
    for await (const event of client.events(runId)) if (event.type === 'run-end') break;
    isAllowed = false;
    const message = expect.stringContaining('Continue it in a terminal, or allow it in your own configuration file');
    await expect(client.say(session, { text: 'go on' })).rejects.toMatchObject({ ...refused, message });
    isAllowed = true;
    const { runId: next } = await client.say(session, { text: 'go on' });
    expect(next).not.toBe(runId);
  });
});
