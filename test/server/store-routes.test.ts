/** The store through a hub: what a token lets somebody do, and what it does not. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { START, stamp, wholeRun } from '../../src/store/conformance/events.js';
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
