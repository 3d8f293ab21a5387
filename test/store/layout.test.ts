/** How the store lies on disk, where other code and its speed depend on it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stamp, wholeRun } from '../../src/store/conformance/events.js';
import { type Connection, connect } from '../../src/store/sqlite/connection.js';
import { createEngine, type FileEngine } from '../../src/store/sqlite/engine.js';

const self = { pid: 1, host: 'here', isAlive: () => true };

let folder: string;
let db: Connection;
/** Statements of the latest transaction that write. */
let written: string[];
let engine: FileEngine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glassbox-store-'));
  written = [];
  db = await connect(join(folder, 'store.db'));
  engine = createEngine(listening(db), self);
});
afterEach(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

test('an event’s key is its run’s number times 2^32 plus its seq, also of its words', () => {
  keep('r1', 'r2');
  const keys = (table: string) => db.all(`select rowid as id from ${table} order by 1`).map(({ id }) => Number(id));
  const numbers = db.all('select no from run order by no').map(({ no }) => Number(no));
  expect(keys('event')).toEqual(
    numbers.flatMap((no) => Array.from({ length: 13 }, (_, index) => no * 2 ** 32 + index + 1)),
  );
  expect(keys('search').length).toBeGreaterThan(4);
  for (const key of keys('search')) expect(keys('event')).toContain(key);
});

test('words are indexed last in a transaction, in the order of their keys', () => {
  keep('r1', 'r2');
  written = [];
  keep('r3', 'r1', 'r2');
  const first = written.findIndex((sql) => sql.startsWith('insert into search'));
  const rest = written.slice(first);
  expect(first).toBeGreaterThan(0);
  expect(rest.length).toBeGreaterThan(3);
  expect(rest.filter((sql) => !sql.startsWith('insert into search'))).toEqual([]);
  const keys = rest.map((sql) => Number(sql.split(' ').at(-1)));
  expect(keys).toEqual(keys.toSorted((a, b) => a - b));
});

test('words of deltas that are replaced in the same transaction are not indexed', () => {
  const block = { messageId: 'm', index: 0 };
  const first = stamp({ runId: 'r1' }, [{ type: 'text-end', ...block, text: 'zebra' }]);
  const second = stamp({ runId: 'r1', firstSeq: 2 }, [{ type: 'text-end', ...block, text: 'horse', fromSeq: 1 }]);
  engine.append(
    [first, second].map((events) => ({
      runId: 'r1',
      epoch: undefined,
      bodies: events.map((event) => JSON.stringify(event)),
    })),
  );
  expect(engine.search({ text: 'zebra' }).events).toBe(0);
  expect(engine.search({ text: 'horse' }).events).toBe(1);
});

/** One transaction with some events of each run. */
function keep(...runIds: string[]): void {
  const batches = runIds.map((runId) => {
    const firstSeq = Number(db.get('select last_seq from run where id = ?', runId)?.last_seq ?? 0) + 1;
    const events = firstSeq === 1 ? wholeRun({ runId }) : stamp({ runId, firstSeq }, [said(runId)]);
    return { runId, epoch: undefined, bodies: events.map((event) => JSON.stringify(event)) };
  });
  engine.append(batches);
}

const said = (text: string) => ({ type: 'text-end', messageId: 'm', index: 0, text }) as const;

/** Tells which statements write, with the key of those that index words. */
function listening(real: Connection): Connection {
  return {
    ...real,
    run(sql, ...values) {
      written.push(sql);
      return real.run(sql, ...values);
    },
    prepare(sql) {
      const statement = real.prepare(sql);
      return {
        run(...values) {
          written.push(`${sql} ${values[0]}`);
          return statement.run(...values);
        },
        get: (...values) => statement.get(...values),
        all: (...values) => statement.all(...values),
        setReadBigInts: (enabled) => statement.setReadBigInts(enabled),
      };
    },
  };
}
