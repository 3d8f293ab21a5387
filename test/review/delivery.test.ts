/** Comments are told once, whoever else sends them and whoever is killed: real processes, one of them killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { readComments, sendComments, settleDeliveries, writeComment } from '../../src/review/index.js';
import { readProcess } from '../../src/run/process/process-table.js';
import type { ProcessIdentity } from '../../src/run/process/reaper.js';
import { stamp } from '../../src/store/conformance/events.js';
import type { Store } from '../../src/store/index.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { emptyStore } from './played-session.js';

const place = { path: 'a.ts', side: 'new', start: 1, end: 1, quote: ['+x'], turn: 1, commit: 'c' } as const;

async function reviewed() {
  const [store, dir] = [await emptyStore(), temporaryDirectory()];
  await store.startRun({ runId: 'r1', agent: 'claude', startedAt: 1, owned: false });
  await store.append(
    stamp({ runId: 'r1', sessionId: 'own' }, [{ type: 'turn-start' }, { type: 'turn-end', outcome: 'success' }]),
  );
  await store.endRun('r1');
  const session = await store.session('r1');
  if (!session) throw new Error('it was not kept');
  const write = (text: string, at: number) => writeComment({ ...place, runId: 'r1', text, at }, dir);
  const ids = [(await write('First.', 1)).id, (await write('Second.', 2)).id];
  const told: string[] = [];
  const send = (owner?: ProcessIdentity, tell: Tell = async (message) => told.push(message)) =>
    sendComments(store, session, ids, tell, { dir, ...(owner && { owner }) });
  const kept = async () =>
    (await readComments(session.runs, dir)).map(
      ({ text, sentAt }) => `${text}${sentAt === undefined ? ' pending' : ' sent'}`,
    );
  return { store, dir, session, ids, told, send, write, kept };
}

/** Who sends, and can be killed. */
async function otherProcess() {
  const child = spawn('sleep', ['600']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const { pid = 0 } = child;
  const owner: ProcessIdentity = { pid, startTime: (await readProcess(pid))?.startTime ?? '' };
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { owner, kill };
}

type Tell = (message: string, begins: () => Promise<void>) => Promise<unknown>;

/** Never comes back, as the one who waits for it is killed; resolves when it was asked for, and an agent was about to be started if it starts one. */
function neverTold(starts = false): { asked: Promise<string>; tell: Tell } {
  let tell: Tell = async () => {};
  const asked = new Promise<string>((resolve) => {
    tell = async (message, begins) => {
      if (starts) await begins();
      resolve(message);
      return new Promise(() => {});
    };
  });
  return { asked, tell };
}

/** The session goes on with these words. */
async function goesOn(store: Store, text: string): Promise<void> {
  await store.startRun({ runId: 'r2', agent: 'claude', startedAt: Date.now(), resumes: 'own' });
  await store.append(stamp({ runId: 'r2', at: Date.now() }, [{ type: 'user-message', text }]));
}

test('of two who send at the same time one does, and the other hears it', async () => {
  const { send, told, kept } = await reviewed();
  const both = await Promise.allSettled([send(), send()]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('have 2 comments');
  expect(await kept()).toEqual(['First. sent', 'Second. sent']);
  await expect(send()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('sent already') });
  expect(told).toHaveLength(1);
});

test('what could not be told is pending again', async () => {
  const { send, told, kept } = await reviewed();
  const failing = async () => {
    throw new Error('no agent');
  };
  await expect(send(undefined, failing)).rejects.toThrow('no agent');
  expect(await kept()).toEqual(['First. pending', 'Second. pending']);
  await send();
  expect(told).toHaveLength(1);
});

test('killed before it said anything: pending again, and sent by the next', async () => {
  const { send, told, kept } = await reviewed();
  const { owner, kill } = await otherProcess();
  const { asked, tell } = neverTold();
  void send(owner, tell);
  await asked;
  await expect(send()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('just now') });
  await kill();
  await send();
  expect(told).toHaveLength(1);
  expect(await kept()).toEqual(['First. sent', 'Second. sent']);
});

test.each([
  ['killed when the store knew of its run, before an agent was started: pending', false, 'pending'],
  ['killed when the agent was started, before it said a word: sent', true, 'sent'],
] as const)('%s', async (_, starts, became) => {
  const { store, dir, session, send, kept } = await reviewed();
  const { owner, kill } = await otherProcess();
  const { asked, tell } = neverTold(starts);
  void send(owner, tell);
  await asked;
  await store.startRun({ runId: 'r2', agent: 'claude', startedAt: Date.now(), resumes: 'own' });
  await store.endRun('r2');
  await kill();
  await settleDeliveries(store, session, { dir });
  expect(await kept()).toEqual([`First. ${became}`, `Second. ${became}`]);
});

test('killed after the agent heard it: sent, once; what was written instead meanwhile is a comment of its own', async () => {
  const { store, dir, session, ids, send, told, kept, write } = await reviewed();
  const { owner, kill } = await otherProcess();
  const { asked, tell } = neverTold();
  void send(owner, tell);
  await goesOn(store, await asked);
  await writeComment({ ...place, runId: 'r1', id: ids[1] ?? '', text: 'Second, better.', at: 2 }, dir);
  await kill();
  const later = await write('Third.', 3);
  await settleDeliveries(store, session, { dir });
  expect(await kept()).toEqual(
    expect.arrayContaining(['First. sent', 'Second. sent', 'Second, better. pending', 'Third. pending']),
  );
  await expect(send()).rejects.toMatchObject({ code: 'conflict' });
  await sendComments(store, session, [later.id], async (message) => told.push(message), { dir });
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('have 1 comment.');
});

test('while who sent it waits for the end of the run, what the agent heard is sent already', async () => {
  const { store, dir, session, send, kept, write, told } = await reviewed();
  const { owner } = await otherProcess();
  const { asked, tell } = neverTold();
  void send(owner, tell);
  await settleDeliveries(store, session, { dir });
  expect(await kept()).toEqual(['First. pending', 'Second. pending']);
  await goesOn(store, await asked);
  await settleDeliveries(store, session, { dir });
  expect(await kept()).toEqual(['First. sent', 'Second. sent']);
  const later = await write('Third.', 3);
  await sendComments(store, session, [later.id], async (message) => told.push(message), { dir });
  expect(told).toHaveLength(1);
});
