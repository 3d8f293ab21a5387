/** The contract of events: kept once, read back in order, followed while they come. */
import assert from 'node:assert/strict';
import { GlassboxError } from '../../event/index.js';
import { all, type Check, has, rejects } from './case.js';
import { START, stamp, wholeRun } from './events.js';

const start = { runId: 'r1', agent: 'fake', startedAt: START };

export const eventCases: Check[] = [
  {
    name: 'what was appended is read back, with its schema, also after opening again',
    async run(open) {
      const store = await open();
      const events = wholeRun({ runId: 'r1' });
      assert.equal(await store.append(events), events.length);
      const expected = events.map((event) => ({ schema: 1, ...event }));
      assert.deepEqual(await all(store.read('r1')), expected);
      assert.deepEqual(await all((await open()).read('r1')), expected);
    },
  },
  {
    name: 'appending again, or overlapping, writes nothing twice',
    async run(open) {
      const store = await open();
      const events = wholeRun({ runId: 'r1' });
      await store.append(events.slice(0, 5));
      assert.equal(await store.append(events.slice(0, 5)), 5);
      assert.equal(await store.append(events.slice(2)), events.length);
      assert.deepEqual(
        (await all(store.read('r1'))).map((event) => event.seq),
        events.map((event) => event.seq),
      );
      has(await store.session('r1'), { toolCalls: 1 });
    },
  },
  {
    name: 'reading begins where it is told to',
    async run(open) {
      const store = await open();
      await store.append(wholeRun({ runId: 'r1' }));
      assert.deepEqual(
        (await all(store.read('r1', 11))).map((event) => event.seq),
        [11, 12, 13],
      );
    },
  },
  {
    name: 'an event with fromSeq takes the place of what it covers',
    async run(open) {
      const store = await open();
      const block = { messageId: 'm', index: 0 };
      await store.append(
        stamp({ runId: 'r1' }, [
          { type: 'turn-start' },
          { type: 'text-delta', ...block, text: 'Hel' },
          { type: 'text-delta', ...block, text: 'lo' },
        ]),
      );
      const end = { type: 'text-end', ...block, text: 'Hello', fromSeq: 2 } as const;
      assert.equal(await store.append(stamp({ runId: 'r1', firstSeq: 4 }, [end])), 4);
      assert.deepEqual(
        (await all(store.read('r1'))).map(({ type, seq }) => [type, seq]),
        [
          ['turn-start', 1],
          ['text-end', 4],
        ],
      );
      assert.deepEqual(
        (await all(store.read('r1', 3))).map(({ seq }) => seq),
        [4],
      );
    },
  },
  {
    name: 'many events are read in order',
    async run(open) {
      const store = await open();
      const statuses = Array.from({ length: 2500 }, (_, n) => ({ type: 'status', code: `${n}` }) as const);
      const many = stamp({ runId: 'r1' }, statuses);
      await store.append(many);
      assert.deepEqual(
        (await all(store.read('r1'))).map(({ seq }) => seq),
        many.map(({ seq }) => seq),
      );
    },
  },
  {
    name: 'a run that is not there rejects with not-found',
    async run(open) {
      await rejects(all((await open()).read('nowhere')), 'not-found');
    },
  },
  {
    name: 'events of two runs in one call are refused',
    async run(open) {
      const mixed = [...wholeRun({ runId: 'a' }), ...wholeRun({ runId: 'b' })];
      await rejects((await open()).append(mixed), 'invalid-request');
    },
  },
  {
    name: 'another process sees events as they come, and the end',
    async run(open) {
      const [store, other] = [await open(), await open()];
      await store.startRun(start);
      const events = wholeRun({ runId: 'r1' });
      await store.append(events.slice(0, 2));
      const seen: number[] = [];
      let writing: Promise<unknown> | undefined;
      for await (const event of other.tail('r1')) {
        seen.push(event.seq);
        if (event.seq === 2) writing = store.append(events.slice(2));
      }
      await writing;
      assert.deepEqual(
        seen,
        events.map((event) => event.seq),
      );
    },
  },
  {
    name: 'following ends with its signal',
    async run(open) {
      const store = await open();
      await store.startRun(start);
      const stop = new AbortController();
      const reading = all(store.tail('r1', { signal: stop.signal }));
      stop.abort();
      assert.deepEqual(await reading, []);
    },
  },
  {
    name: 'watch tells which sessions changed, in another process too',
    async run(open) {
      const [store, other] = [await open(), await open()];
      const changes = other.watch()[Symbol.asyncIterator]();
      // Calls are taken in their order: once this one is answered, it watches.
      await other.list();
      await store.append(wholeRun({ runId: 'r1' }, { prompt: 'Paint it' }));
      has((await changes.next()).value, [{ title: 'Paint it' }]);
    },
  },
  {
    name: 'a closed store says so and its readers end',
    async run(open) {
      const store = await open();
      await store.startRun(start);
      const reading = all(store.tail('r1'));
      await store.close();
      assert.deepEqual(await reading, []);
      await assert.rejects(store.list(), GlassboxError);
    },
  },
];
