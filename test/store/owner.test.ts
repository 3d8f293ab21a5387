/** Who owns a run, and what becomes of it when its owner falls silent. Two engines on one file, with a clock of our own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../../src/store/sqlite/connection.js';
import { createEngine, type Engine } from '../../src/store/sqlite/engine.js';
import { START, stamp } from './events.js';

const SECOND = 1000;
const allow = { type: 'approve', by: 'person' } as const;
const answer = { runId: 'r1', id: 'q1', claimId: 'c1' };
const request = { type: 'approval-request', id: 'q1', kind: 'tool' } as const;

let folder: string;
let now: number;
let alive: number[];
let owner: Engine;
let other: Engine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glassbox-store-'));
  now = START;
  alive = [1, 2];
  const open = async (pid: number, host: string) => {
    const self = { pid, host, now: () => now, isAlive: (one: number) => alive.includes(one) };
    return createEngine(await connect(join(folder, 'store.db')), self);
  };
  owner = await open(1, 'here');
  other = await open(2, 'here');
  owner.startRun({ runId: 'r1', agent: 'fake', startedAt: now });
  append([{ type: 'turn-start' }, request]);
});
afterEach(() => {
  owner.close();
  other.close();
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
  expect(other.claim(answer, allow)).toBe('late');
});

test('a dead process of this host is noticed at once, one of another host by its silence', async () => {
  alive = [2];
  const elsewhere = createEngine(await connect(join(folder, 'store.db')), {
    ...{ pid: 3, host: 'elsewhere', now: () => now, isAlive: () => false },
  });
  expect(elsewhere.session('r1')).toMatchObject({ state: 'waiting' });
  expect(other.session('r1')).toMatchObject({ state: 'ended', outcome: 'interrupted' });
  elsewhere.close();
});

test('an owner that only slept shows itself with its next beat', () => {
  now += 3600 * SECOND;
  other.reap();
  owner.beat();
  expect(other.session('r1')).toMatchObject({ state: 'waiting', waiting: 1 });
  expect(other.claim(answer, allow)).toBe('claimed');
});

test.each([false, true])('an answer that the owner did not acknowledge dies with it (taken: %s)', (taken) => {
  expect(other.claim(answer, allow)).toBe('claimed');
  if (taken) expect(owner.takeDecided('r1')).toHaveLength(1);
  expect(other.receptionOf(answer)).toBeUndefined();
  alive = [2];
  other.reap();
  expect(other.receptionOf(answer)).toBe('late');
});

test('or with its next event', () => {
  now += 3600 * SECOND;
  other.reap();
  append([{ type: 'approval-withdraw', id: 'q1', why: 'agent' }], 3);
  expect(other.session('r1')).toMatchObject({ state: 'running', waiting: 0 });
});

test('a process with the number of a dead one does not bring its runs back', async () => {
  now += 20 * SECOND;
  other.reap();
  const self = { pid: 1, host: 'here', now: () => now, isAlive: () => true };
  const namesake = createEngine(await connect(join(folder, 'store.db')), self);
  namesake.beat();
  expect(other.session('r1')).toMatchObject({ state: 'ended', outcome: 'interrupted' });
  namesake.close();
});

function append(payloads: Parameters<typeof stamp>[1], firstSeq = 1): void {
  owner.append([
    { runId: 'r1', bodies: stamp({ runId: 'r1', firstSeq }, payloads).map((event) => JSON.stringify(event)) },
  ]);
}
