/** Who owns a run, and what becomes of it when its owner falls silent. Engines on one file, with a clock of our own in the database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { START, stamp } from '../../src/store/conformance/events.js';
import { drawnId, hostId } from '../../src/store/host.js';
import type { Post } from '../../src/store/shell/engine.js';
import { connect } from '../../src/store/sqlite/connection.js';
import { createEngine, type FileEngine } from '../../src/store/sqlite/engine.js';
import type { Self } from '../../src/store/table/owner-row.js';

const SECOND = 1000;
const answer: Post = {
  runId: 'r1',
  id: 'i1',
  instruction: { type: 'answer', approval: 'q1', answer: { type: 'approve' } },
  from: { by: 'person' },
};
const gone = { outcome: 'gone' };
const request = { type: 'approval-request', id: 'q1', kind: 'tool' } as const;
const start = { runId: 'r1', agent: 'fake', startedAt: START };

let folder: string;
let now: number;
let alive: number[];
let engines: FileEngine[];
let owner: FileEngine;
let other: FileEngine;

const open = async (self: Partial<Self> = {}): Promise<FileEngine> => {
  const database = { ...(await connect(join(folder, 'store.db'))), now: () => now };
  const isAlive = (pid: number) => alive.includes(pid);
  const engine = createEngine(database, { pid: 2, host: 'here', isAlive, ...self });
  engines.push(engine);
  return engine;
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glassbox-store-'));
  now = START;
  alive = [1, 2];
  engines = [];
  owner = await open({ pid: 1 });
  other = await open();
  expect(owner.startRun(start)).toMatchObject({ epoch: 1, record: { owner: { pid: 1, epoch: 1 } } });
  append(owner, [{ type: 'turn-start' }, request]);
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const engine of engines) engine.close();
  rmSync(folder, { recursive: true });
});

test('as long as the heart beats the run is alive', () => {
  for (let beats = 0; beats < 10; beats += 1) {
    now += 10 * SECOND;
    owner.beat();
    expect(other.session('r1')).toMatchObject({ state: 'waiting', runs: [{ owner: { pid: 1, heartbeatAt: now } }] });
  }
});

test('a silent owner counts as dead: the run is interrupted and its approvals take no answer', () => {
  now += 20 * SECOND;
  expect(other.session('r1')).toMatchObject({ state: 'ended', outcome: 'interrupted', waiting: 0 });
  expect(other.post(answer)).toEqual(gone);
});

test('a dead process of this host is noticed at once, one of another host by its silence', async () => {
  alive = [2];
  const elsewhere = await open({ pid: 3, host: 'elsewhere', isAlive: () => false });
  expect(elsewhere.session('r1')).toMatchObject({ state: 'waiting' });
  expect(other.session('r1')).toMatchObject({ state: 'ended', outcome: 'interrupted' });
});

test('nobody is asked what the run of a dead process asked, though nothing else was looked at', () => {
  expect(other.approvals()).toMatchObject([{ runId: 'r1', request: { id: 'q1' } }]);
  alive = [2];
  expect(other.approvals()).toEqual([]);
});

test('… nor is what is told to it kept for anybody', () => {
  alive = [2];
  expect(other.post(answer)).toEqual(gone);
});

test.each([-5, 5])('a clock of a host that is %s minutes off buries nobody and keeps nobody alive', async (minutes) => {
  const real = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(real + minutes * 60 * SECOND);
  const elsewhere = await open({ pid: 3, host: 'elsewhere' });
  elsewhere.reap();
  expect(elsewhere.session('r1')).toMatchObject({ state: 'waiting' });
  elsewhere.startRun({ ...start, runId: 'r2' });
  expect(other.session('r2')).toMatchObject({ state: 'running', runs: [{ owner: { heartbeatAt: now } }] });
  now += 20 * SECOND;
  expect(other.session('r2')).toMatchObject({ state: 'ended', outcome: 'interrupted' });
});

test('the clock is that of the database', async () => {
  const database = await connect(':memory:');
  vi.spyOn(Date, 'now').mockReturnValue(0);
  expect(database.now()).toBeGreaterThan(START);
  database.close();
});

test('an owner that only slept shows itself with its next beat', () => {
  now += 3600 * SECOND;
  other.reap();
  owner.beat();
  expect(other.session('r1')).toMatchObject({ state: 'waiting', waiting: 1 });
  expect(other.post(answer)).toBeUndefined();
});

test.each([false, true])('what the owner did not acknowledge dies with it (taken: %s)', (taken) => {
  expect(other.post(answer)).toBeUndefined();
  if (taken) expect(owner.take('r1', 1)).toHaveLength(1);
  expect(other.receptionOf('i1')).toBeUndefined();
  alive = [2];
  other.reap();
  expect(other.receptionOf('i1')).toEqual(gone);
});

test('or with its next event', () => {
  now += 3600 * SECOND;
  other.reap();
  append(owner, [{ type: 'approval-withdraw', id: 'q1', why: 'agent' }], 3);
  expect(other.session('r1')).toMatchObject({ state: 'running', waiting: 0 });
});

test('a process with the number of a dead one does not bring its runs back', async () => {
  now += 20 * SECOND;
  other.reap();
  const namesake = await open({ pid: 1, isAlive: () => true });
  namesake.beat();
  expect(other.session('r1')).toMatchObject({ state: 'ended', outcome: 'interrupted' });
});

test('a run with a living owner is nobody else’s: it is neither claimed nor written nor ended', () => {
  expect(() => other.startRun(start)).toThrow(/Another process \(1\) keeps the run "r1"/);
  expect(() => other.startRun({ ...start, owned: false, replace: true })).toThrow(/Another process/);
  for (const claim of [{}, { epoch: 0 }, { epoch: 2 }]) {
    expect(append(other, [{ type: 'turn-start' }], 3, claim)).toMatchObject({ code: 'conflict' });
    expect(() => other.endRun('r1', undefined, claim.epoch)).toThrow(/Another process/);
  }
  expect(owner.startRun(start, 1)).toMatchObject({ epoch: 1 });
  expect(owner.startRun(start), 'asked for again before the first answer came').toMatchObject({ epoch: 1 });
  expect(owner.session('r1')).toMatchObject({ state: 'waiting', runs: [{ lastSeq: 2 }] });
});

test.each([false, true])('who slept cannot write into what another took over (buried before: %s)', (buried) => {
  now += 20 * SECOND;
  if (buried) other.reap();
  expect(other.startRun(start)).toMatchObject({ epoch: 2, record: { state: 'running', owner: { pid: 2 } } });
  expect(append(other, [{ type: 'status', code: 'mine' }], 3, { epoch: 2 })).toBe(3);
  expect(append(owner, [{ type: 'status', code: 'stale' }], 3)).toMatchObject({ code: 'conflict' });
  expect(append(owner, [{ type: 'status', code: 'stale' }], 4)).toMatchObject({ code: 'conflict' });
  expect(() => owner.endRun('r1', undefined, 1)).toThrow(/Another process \(2\)/);
  expect(() => owner.startRun(start, 1)).toThrow(/Another process \(2\)/);
  expect(other.post({ ...answer, instruction: { type: 'stop' } })).toBeUndefined();
  expect(() => owner.take('r1', 1)).toThrow(/Another process \(2\)/);
  expect(other.take('r1', 2)).toHaveLength(1);
  expect(() => owner.acknowledge('r1', 'i1', { outcome: 'done' }, 1)).toThrow(/Another process \(2\)/);
  now += 10 * SECOND;
  owner.beat();
  expect(other.session('r1')).toMatchObject({
    runs: [{ lastSeq: 3, owner: { pid: 2, heartbeatAt: now - 10 * SECOND } }],
  });
  expect(other.page('r1', 3).bodies.join()).toContain('mine');
});

test('one run that is refused harms no other in the same transaction', () => {
  now += 20 * SECOND;
  other.startRun(start);
  owner.startRun({ ...start, runId: 'r2' });
  const batches = ['r1', 'r2', 'r3'].map((runId) => ({
    runId,
    epoch: runId === 'r3' ? undefined : 1,
    bodies: stamp({ runId, firstSeq: 3 }, [{ type: 'turn-start' }]).map((event) => JSON.stringify(event)),
  }));
  expect(owner.append(batches)).toMatchObject([{ code: 'conflict' }, 3, 3]);
});

test('what has ended by itself is not claimed again', () => {
  owner.endRun('r1', undefined, 1);
  expect(other.startRun(start)).not.toHaveProperty('epoch');
  expect(append(other, [{ type: 'turn-start' }], 3, {})).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('has ended'),
  });
});

test('a host has one id, for all who ask, and each machine draws its own', () => {
  expect(hostId()).toBe(hostId());
  const [here, there] = [join(folder), mkdtempSync(join(tmpdir(), 'glassbox-store-'))];
  expect(drawnId(here)).toBe(drawnId(here));
  expect(drawnId(there)).not.toBe(drawnId(here));
  rmSync(there, { recursive: true });
  expect(drawnId(there), 'where nothing can be kept').not.toBe(drawnId(there));
});

test('changes are told to who watches, and who was away for too long is told that some were missed', async () => {
  other.changes();
  append(owner, [{ type: 'turn-start' }], 3);
  expect(other.changes()).toEqual([{ runId: 'r1', session: 1 }]);
  expect(other.changes()).toEqual([]);
  // As if very much had happened meanwhile.
  const database = await connect(join(folder, 'store.db'));
  database.exec(
    'with recursive n (i) as (values (1) union all select i + 1 from n where i < 10995) insert into change (run) select 1 from n',
  );
  database.close();
  for (let seq = 4; seq < 12; seq += 1) append(owner, [{ type: 'turn-start' }], seq);
  expect(other.changes()).toBe('missed');
  expect(other.changes()).toEqual([]);
});

function append(
  by: FileEngine,
  payloads: Parameters<typeof stamp>[1],
  firstSeq = 1,
  claim: { epoch?: number } = { epoch: 1 },
) {
  const bodies = stamp({ runId: 'r1', firstSeq }, payloads).map((event) => JSON.stringify(event));
  return by.append([{ runId: 'r1', epoch: claim.epoch, bodies }])[0];
}
