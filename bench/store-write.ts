/** Row 9: the store with its worker, its records and its sums, against nothing but prepared statements on the same tables. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentEvent } from '../src/event/index.js';
import { documentOf } from '../src/store/document.js';
import { openStore, SEARCH_FIELDS } from '../src/store/index.js';
import { connect } from '../src/store/sqlite/connection.js';
import { loadDriver } from '../src/store/sqlite/driver.js';
import { migrate, RUN_SHIFT } from '../src/store/sqlite/schema.js';
import { measureRounds } from './support/rounds.js';
import { report } from './support/row.js';
import { createStories } from './support/story.js';

const BATCH = 100;
const RUNS = 8;
const PER_RUN = 6000;

const folder = mkdtempSync(join(tmpdir(), 'glassbox-bench-'));
const stories = createStories();
const runs = Array.from({ length: RUNS }, (_, run) => stories.run(run, PER_RUN));
const count = runs.reduce((sum, events) => sum + events.length, 0);

const opened = await openStore(join(folder, 'store.db'));
const rival = await openRival(join(folder, 'rival.db'));
let started = 0;

const times = await measureRounds({ raw: () => rival(startRuns()), store, serial }, { rounds: 5, warmUp: 1 });
await opened.close();
rmSync(folder, { recursive: true });

const value = times.ratio('store', 'raw');
const perSecond = (ms: number) => `${Math.round((count / ms) * 1000).toLocaleString('en')} events/s`;
report([
  {
    row: 9,
    what: `store, ${count.toLocaleString('en')} events in batches of ${BATCH}, with the search index`,
    against: 'prepared statements, same tables, same batches, one thread',
    goal: '≥ 0.70',
    value,
    unit: '×',
    ok: value >= 0.7,
    also: {
      store: perSecond(times.ms('store')),
      'prepared statements': perSecond(times.ms('raw')),
      'store, each batch after the answer to the one before': `${times.ratio('serial', 'raw').toFixed(2)} ×`,
    },
  },
]);

/** Runs side by side, as on a server, each with one batch under way while it makes the next. */
async function store(): Promise<void> {
  startRuns();
  await Promise.all(
    runs.map(async (events) => {
      let underWay: Promise<unknown> | undefined;
      for (const batch of batches(events)) {
        const next = opened.append(batch);
        await underWay;
        underWay = next;
      }
      await underWay;
    }),
  );
}

async function serial(): Promise<void> {
  startRuns();
  for (const events of runs) for (const batch of batches(events)) await opened.append(batch);
}

/** The same runs side by side, but only the events and their words; the store also keeps records, sums and approvals. */
async function openRival(file: string): Promise<(firstRun: number) => void> {
  const connection = await connect(file);
  migrate(connection, { recount() {}, findOpenings() {} });
  connection.close();
  const { DatabaseSync } = await loadDriver();
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = normal; pragma cache_size = -32768');
  const insert = db.prepare('insert into event (id, body, tool) values (?, ?, ?)');
  const index = Object.fromEntries(
    SEARCH_FIELDS.map((field) => [field, db.prepare(`insert into search (rowid, ${field}, tool) values (?, ?, ?)`)]),
  );
  const tools = new Map<string, string>();
  return (firstRun) => {
    for (let from = 0; from < PER_RUN; from += BATCH) {
      for (const [run, events] of runs.entries()) {
        db.exec('begin immediate');
        for (const event of events.slice(from, from + BATCH)) {
          const id = (firstRun + run) * RUN_SHIFT + event.seq;
          if (event.type === 'tool-start') tools.set(event.id, event.name);
          const document = documentOf(event);
          const tool = (document && 'id' in event && tools.get(event.id)) || null;
          insert.run(id, JSON.stringify(event), tool);
          if (document) index[document.field]?.run(id, document.text, tool);
        }
        db.exec('commit');
      }
    }
  };
}

/** The same events become those of new runs. Gives the number of the first. */
function startRuns(): number {
  const first = started + 1;
  for (const events of runs) {
    started += 1;
    for (const event of events) {
      event.runId = `run-${started}`;
      event.sessionId = `session-${started}`;
    }
  }
  return first;
}

function batches(events: readonly AgentEvent[]): AgentEvent[][] {
  return Array.from({ length: Math.ceil(events.length / BATCH) }, (_, n) => events.slice(n * BATCH, (n + 1) * BATCH));
}
