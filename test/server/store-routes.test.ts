/** The store through a hub: what a token lets somebody do, and what it does not. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { START, stamp, wholeRun } from '../../src/store/conformance/events.js';
import { HEARTBEAT_MS } from '../../src/store/table/owner-row.js';
import { openHub, openStore, requireSafeUrl, type Store } from '../../src/store.js';

const TOKENS = [
  { name: 'runner', token: 'r', scopes: ['work'] },
  { name: 'another', token: 'a', scopes: ['work'] },
  { name: 'viewer', token: 'v', scopes: ['view'] },
  { name: 'ann', token: 'p', scopes: ['view', 'approve'] },
] as const;

const start = { runId: 'r1', agent: 'fake', startedAt: START };
const ask = [{ type: 'turn-start' }, { type: 'approval-request', id: 'q1', kind: 'tool' }] as const;
const allow = { type: 'answer', approval: 'q1', answer: { type: 'approve' } } as const;

/** Opens the store as whoever has a token, through a hub of its own: nothing but the data is shared. */
async function hubs(): Promise<(token: string) => Promise<Store>> {
  const folder = await mkdtemp(join(tmpdir(), 'glassbox-hub-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return async (token) => {
    const store = await openStore(join(folder, 'store.db'));
    const hub = await startServer({ store, port: 0, tokens: TOKENS, projects: [folder] });
    const far = openHub({ url: hub.url, token });
    onTestFinished(async () => {
      await far.close();
      await hub.close();
      await store.close();
    });
    return far;
  };
}

test('a runner writes its own runs, and sees, answers and changes nothing else', async () => {
  const as = await hubs();
  const [runner, another, viewer] = [await as('r'), await as('a'), await as('v')];
  const record = await runner.startRun({ ...start, principal: 'ann' });
  expect(record).toMatchObject({ principal: 'runner', owner: { pid: process.pid, epoch: 1 } });
  expect(await runner.append(stamp({ runId: 'r1' }, [...ask]))).toBe(2);
  const denied = { code: 'forbidden' };
  await expect(another.append(stamp({ runId: 'r1', firstSeq: 3 }, [{ type: 'turn-start' }]))).rejects.toMatchObject(
    denied,
  );
  await expect(another.startRun(start)).rejects.toMatchObject(denied);
  await expect(another.endRun('r1')).rejects.toMatchObject(denied);
  await expect(another.append(wholeRun({ runId: 'r2' }))).rejects.toMatchObject(denied);
  await expect(another.instructions('r1')[Symbol.asyncIterator]().next()).rejects.toMatchObject(denied);
  for (const asking of [runner.list(), runner.session('r1'), runner.approvals(), runner.search({ text: 'x' })])
    await expect(asking).rejects.toMatchObject(denied);
  await expect(runner.tell('r1', allow, { by: 'person' })).rejects.toMatchObject(denied);
  await expect(viewer.tell('r1', allow, { by: 'person' })).rejects.toMatchObject(denied);
  await expect(viewer.delete('r1')).rejects.toMatchObject(denied);
  expect((await viewer.approvals())[0]?.runId).toBe('r1');
});

/** A hub, a store behind it, and what is asked of it without a client that would ask for nothing odd. */
async function oneHub() {
  const folder = await mkdtemp(join(tmpdir(), 'glassbox-hub-'));
  const store = await openStore(join(folder, 'store.db'));
  const hub = await startServer({ store, port: 0, tokens: TOKENS, projects: [folder] });
  onTestFinished(async () => {
    await hub.close();
    await store.close();
    await rm(folder, { recursive: true });
  });
  const ask = async (token: string, method: string, body: string): Promise<{ status: number; text: string }> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${hub.url}/api/store/${method}`, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  };
  const call = (method: string, ...args: unknown[]) => ask('r', method, JSON.stringify({ args }));
  return { store, ask, call };
}

test('a run that nobody brought through a hub is not a runner’s: it is neither shown, taken nor emptied', async () => {
  const { store, call } = await oneHub();
  await store.startRun({ ...start, runId: 'local' });
  await store.append(wholeRun({ runId: 'local' }));
  const before = await store.session('local');
  for (const more of [{}, { replace: true }, { reopen: true }]) {
    const { status, text } = await call('startRun', { ...start, runId: 'local', ...more });
    expect([status, text]).toEqual([403, expect.stringContaining('is not one of runner')]);
  }
  expect(await store.session('local')).toEqual(before);
});

const [event] = stamp({ runId: 'r1' }, [{ type: 'turn-start' }]);

const NONSENSE = {
  'no JSON': '{nope',
  nothing: 'null',
  'a number': '5',
  'an event of another run': JSON.stringify({ ...event, runId: 'r2' }),
  'a place that is text': JSON.stringify({ ...event, seq: '1' }),
  'a place between two': JSON.stringify({ ...event, seq: 1.5 }),
  'a place before all': JSON.stringify({ ...event, seq: -1 }),
  'a place beyond all': JSON.stringify({ ...event, seq: 1e300 }),
  'a time that is none': JSON.stringify({ ...event, at: 'x' }),
  'a time when there are no dates': JSON.stringify({ ...event, at: 9e15 }),
  'no type': JSON.stringify({ ...event, type: undefined }),
};

test('a batch that makes no sense is refused alone: those that come with it are kept', async () => {
  const { store, call } = await oneHub();
  for (const runId of ['r1', 'r2']) await call('startRun', { ...start, runId });
  const good = stamp({ runId: 'r2' }, [{ type: 'turn-start' }]).map((one) => JSON.stringify(one));
  const bad = Object.values(NONSENSE).map((body) => ({ runId: 'r1', epoch: 1, bodies: [body] }));
  const { status, text } = await call('append', [...bad, { runId: 'r2', epoch: 1, bodies: good }]);
  expect([status, text]).toEqual([200, expect.stringContaining('"value"')]);
  const { value } = JSON.parse(text) as { value: unknown[] };
  for (const [index, what] of Object.keys(NONSENSE).entries())
    expect(value[index], what).toMatchObject({ code: 'invalid-request' });
  expect(value.at(-1)).toBe(1);
  expect((await store.session('r1'))?.runs[0]?.lastSeq).toBe(0);
  expect((await store.session('r2'))?.runs[0]?.lastSeq).toBe(1);
});

test('what makes no sense is refused as that, by whichever call: the server does not fail at it, and nobody asks for it again', async () => {
  const { ask } = await oneHub();
  const calls = {
    r: ['startRun', 'append', 'endRun', 'take', 'acknowledge', 'beatFor'],
    v: ['page', 'session', 'sessions', 'list', 'search', 'totals', 'approvals', 'decisions'],
    p: ['post', 'receptionOf', 'withdraw'],
  };
  const odd = [null, 0, -1, '', "'; drop table run; --", '\0', {}, [], [null], [{}], { runId: null }, { runId: '\0' }];
  const bodies = [
    '',
    '{',
    'null',
    '[]',
    '{"args":1}',
    ...odd.flatMap((one) => [[one], [one, one, one]]).map((args) => JSON.stringify({ args })),
  ];
  for (const [token, methods] of Object.entries(calls))
    for (const method of methods)
      for (const body of bodies) {
        const { status, text } = await ask(token, method, body);
        expect(status, `${method} ${body}: ${text}`).toBeLessThan(500);
      }
});

test('an answer that is given at one hub reaches a run whose owner speaks to another, with who gave it', async () => {
  const as = await hubs();
  const [runner, ann] = [await as('r'), await as('p')];
  await runner.startRun(start);
  await runner.append(stamp({ runId: 'r1' }, [...ask]));
  const told = runner.instructions('r1')[Symbol.asyncIterator]();
  const telling = ann.tell('r1', allow, { by: 'person', who: 'somebody else' });
  const { value } = await told.next();
  expect(value).toMatchObject({ instruction: allow, from: { by: 'person', who: 'ann', via: 'program' } });
  await runner.acknowledge('r1', value?.id ?? '', { outcome: 'done' });
  expect(await telling).toEqual({ outcome: 'done' });
});

test('a run that was removed, ended or is another’s is told as lost, and the beats of the others count', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'glassbox-hub-'));
  const store = await openStore(join(folder, 'store.db'));
  const hub = await startServer({ store, port: 0, tokens: TOKENS, projects: [folder] });
  const runner = openHub({ url: hub.url, token: 'r' });
  for (const runId of ['r1', 'r2', 'r3']) await runner.startRun({ ...start, runId });
  for (const runId of ['r2', 'r3']) await runner.append(wholeRun({ runId }));
  await store.startRun({ ...start, runId: 'foreign' });
  await store.delete((await store.session('r2'))?.id ?? '');
  const held = ['foreign', 'r2', 'r1', 'r3'].map((runId) => ({ runId, epoch: 1 }));
  const headers = { authorization: 'Bearer r', 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify({ args: [held] }) };
  const response = await fetch(`${hub.url}/api/store/beatFor`, init);
  const { value } = (await response.json()) as { value: string[] };
  expect([response.status, [...value].sort()]).toEqual([200, ['foreign', 'r2', 'r3']]);
  await runner.close();
  await hub.close();
  await store.close();
  await rm(folder, { recursive: true });
});

test('who claimed a run goes on with it through another hub, also after a start with the epoch that it held', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'glassbox-hub-'));
  const store = await openStore(join(folder, 'store.db'));
  const [one, other] = [
    await startServer({ store, port: 0, tokens: TOKENS, projects: [folder] }),
    await startServer({ store, port: 0, tokens: TOKENS, projects: [folder] }),
  ];
  const first = openHub({ url: one.url, token: 'r' });
  const { owner } = await first.startRun(start);
  await first.close();
  await one.close();
  const second = openHub({ url: other.url, token: 'r', epochs: new Map([['r1', owner?.epoch ?? 0]]) });
  expect(await second.append(stamp({ runId: 'r1' }, [...ask]))).toBe(2);
  const stale = openHub({ url: other.url, token: 'r', epochs: new Map([['r1', 7]]) });
  await expect(stale.append(stamp({ runId: 'r1', firstSeq: 3 }, [{ type: 'turn-start' }]))).rejects.toMatchObject({
    code: 'conflict',
  });
  for (const far of [second, stale]) await far.close();
  await other.close();
  await store.close();
  await rm(folder, { recursive: true });
});

test.each(['http://hub.example', 'https://ann:secret@hub.example', 'ftp://hub.example', 'hub'])(
  'a token is not sent to %s',
  (url) => {
    expect(() => requireSafeUrl(url)).toThrow(/https|no password/i);
    expect(() => openHub({ url, token: 'x' })).toThrow();
  },
);

test('a hub that does not answer is not told again and again that a run lives, before it has answered', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const beats: ServerResponse[] = [];
  const hub = createServer((request, response) => {
    if (request.url?.endsWith('/beatFor')) beats.push(response);
    else response.end(JSON.stringify({ value: { record: {}, epoch: 1 } }));
  });
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
  const { port } = hub.address() as AddressInfo;
  const far = openHub({ url: `http://127.0.0.1:${port}`, token: 'r' });
  onTestFinished(async () => {
    for (const response of beats) response.end('{"value":[]}');
    await far.close();
    hub.close();
  });
  await far.startRun(start);
  vi.advanceTimersByTime(10 * HEARTBEAT_MS);
  await expect.poll(() => beats.length).toBe(1);
  vi.advanceTimersByTime(10 * HEARTBEAT_MS);
  await far.startRun({ ...start, runId: 'r2' });
  expect(beats).toHaveLength(1);
  beats[0]?.end('{"value":[]}');
  await expect
    .poll(() => {
      vi.advanceTimersByTime(HEARTBEAT_MS);
      return beats.length;
    })
    .toBe(2);
});
