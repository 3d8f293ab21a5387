/** What waits for a hub: on disk, for this user alone, bounded, and nothing goes without being declared. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../src/event/index.js';
import { isAlive, thisProcess } from '../../src/run/process/reaper.js';
import { boundedEvents, sizeOf } from '../../src/worker/bounded-events.js';
import { leftSpools, openSpool, type SpoolHead } from '../../src/worker/spool.js';
import { temporaryDirectory } from '../fake-agent/play.js';

const stamp = { at: 1, runId: 'r1', agent: 'fake', source: 'stream', turn: 1 } as const;

const delta = (seq: number, text = 'x'): AgentEvent => ({
  ...{ ...stamp, seq, type: 'text-delta', messageId: 'm', index: 0, text },
});
const end = (seq: number, fromSeq = seq): AgentEvent => ({
  ...{ ...stamp, seq, fromSeq, type: 'text-end', messageId: 'm', index: 0, text: 'whole' },
});

const head: SpoolHead = {
  ...{ start: { runId: 'r1', agent: 'fake', startedAt: 1 }, job: { id: 'j1', fence: 1 }, hub: 'h', pid: 1 },
};
const numbers = (events: readonly AgentEvent[]) => events.map(({ seq }) => seq);

describe('when there is too much', () => {
  test('deltas whose whole text follows go first, and nothing is missed', () => {
    const events = [delta(1), delta(2), end(3, 1), delta(4)];
    const kept = boundedEvents(events, sizeOf(events) - 1);
    expect(numbers(kept)).toEqual([3, 4]);
  });

  test('then the others, for which a gap stands', () => {
    const events = [end(1), delta(2, 'long '.repeat(99)), delta(3), end(4)];
    expect(boundedEvents(events, 600)).toMatchObject([
      { seq: 1 },
      { type: 'gap', from: 2, to: 3, fromSeq: 2, seq: 3, runId: 'r1' },
      { seq: 4 },
    ]);
  });

  test('then the older half, for which a gap stands', () => {
    const events = Array.from({ length: 40 }, (_, index) => end(index + 1));
    const kept = boundedEvents(events, 2000);
    expect(kept[0]).toMatchObject({ type: 'gap', from: 1, fromSeq: 1 });
    expect(kept.at(-1)).toMatchObject({ seq: 40 });
  });

  test('whatever comes, what is left covers every number once', () => {
    const story = fc.array(fc.record({ kind: fc.constantFrom('delta', 'end'), long: fc.nat(300) }), { minLength: 1 });
    fc.assert(
      fc.property(story, fc.integer({ min: 300, max: 3000 }), (items, most) => {
        const events = items.map(({ kind, long }, index) =>
          kind === 'end' ? end(index + 1) : delta(index + 1, 'x'.repeat(long)),
        );
        let next = 1;
        for (const { seq, fromSeq = seq } of boundedEvents(events, most)) {
          expect(fromSeq).toBe(next);
          next = seq + 1;
        }
        expect(next).toBe(events.length + 1);
      }),
    );
  });
});

test('it is for this user alone, and gone when all of it is acknowledged', () => {
  const folder = path.join(temporaryDirectory(), 'spool');
  const spool = openSpool(folder, head);
  const file = path.join(folder, 'r1.jsonl');
  spool.add([end(1), end(2)]);
  spool.note({ epoch: 3 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(3);
  spool.acknowledge(1);
  expect(numbers(spool.waiting())).toEqual([2]);
  spool.acknowledge(2);
  expect(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([{ ...head, epoch: 3 }]);
  spool.add([end(3)]);
  expect(readFileSync(file, 'utf8')).toContain('"seq":3');
  spool.remove();
  expect(readdirSync(folder)).toEqual([]);
});

test('it never grows beyond its bounds', () => {
  const folder = temporaryDirectory();
  const spool = openSpool(folder, head, { mostBytes: 4000 });
  for (let seq = 1; seq <= 200; seq += 1) spool.add([end(seq)]);
  expect(statSync(path.join(folder, 'r1.jsonl')).size).toBeLessThan(5000);
  expect(spool.waiting()[0]).toMatchObject({ type: 'gap', from: 1 });
  spool.close();
});

test('a disk that takes nothing is told once, and gets all that waits when it takes something again', async () => {
  const place = path.join(temporaryDirectory(), 'place');
  writeFileSync(place, 'no folder can be made here');
  const told: string[] = [];
  const spool = openSpool(path.join(place, 'spool'), head, { onTrouble: ({ message }) => told.push(message) });
  spool.add([end(1)]);
  spool.add([end(2)]);
  expect(told).toHaveLength(1);
  expect(numbers(spool.waiting())).toEqual([1, 2]);
  rmSync(place);
  spool.add([end(3)]);
  spool.close();
  expect(await left(path.join(place, 'spool'))).toMatchObject([{ events: [{ seq: 1 }, { seq: 2 }, { seq: 3 }] }]);
});

test('what a dead worker left is read, up to a line that was cut; what a living one has is not touched', async () => {
  const folder = temporaryDirectory();
  openSpool(folder, { ...head, pid: 11 }).add([end(1), end(2)]);
  openSpool(folder, { ...head, start: { ...head.start, runId: 'r2' }, pid: 12 }).close();
  const file = path.join(folder, 'r1.jsonl');
  writeFileSync(file, `${readFileSync(file, 'utf8')}{"seq":3,"ty`);
  writeFileSync(path.join(folder, 'r3.jsonl'), 'not json');
  const found = await left(folder, { isAlive: async ({ pid }) => pid === 12 });
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ head: { pid: 11 }, events: [{ seq: 1 }, { seq: 2 }] });
  expect(await left(path.join(folder, 'none'))).toEqual([]);
});

test('where each start has the same number, as in a container, the one that died is still told from the one that lives', async () => {
  const folder = temporaryDirectory();
  const self = await thisProcess();
  openSpool(folder, { ...head, ...self, startTime: `${self.startTime}0` }).add([end(1)]);
  openSpool(folder, { ...head, ...self, start: { ...head.start, runId: 'r2' } }).close();
  expect((await left(folder, { isAlive })).map(({ head: { start } }) => start.runId)).toEqual(['r1']);
});

test('what somebody put there is not brought: files that cannot be read are told, events of others end the reading', async () => {
  const folder = temporaryDirectory();
  mkdirSync(path.join(folder, 'folder.jsonl'));
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;
  writeFileSync(path.join(folder, 'other.jsonl'), line(head));
  for (const [name, odd] of [
    ['a', null],
    ['b', 5],
    ['c', { ...end(2), runId: 'another' }],
    ['d', { ...end(2), runId: 'd', seq: '2' }],
  ] as const) {
    const start = { ...head.start, runId: name };
    writeFileSync(
      path.join(folder, `${name}.jsonl`),
      [{ ...head, start }, { ...end(1), runId: name }, odd].map(line).join(''),
    );
  }
  const log: string[] = [];
  const found = await left(folder, { log: (text) => log.push(text) });
  expect(found.map(({ head: { start }, events }) => [start.runId, numbers(events)])).toEqual(
    ['a', 'b', 'c', 'd'].map((name) => [name, [1]]),
  );
  expect(log).toEqual([expect.stringContaining('folder.jsonl cannot be read')]);
});

function left(folder: string, options: Partial<Parameters<typeof leftSpools>[1]> = {}) {
  return leftSpools(folder, { isAlive: async () => false, log: () => {}, ...options });
}
