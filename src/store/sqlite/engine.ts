/** Everything the store can do, synchronously, on one connection. It lives in the worker thread. */
import { GlassboxError } from '../../event/index.js';
import type { ApprovalAnswer, Reception } from '../approval.js';
import type { DriftQuery, ListQuery, PruneQuery, SearchQuery, TotalsQuery } from '../query.js';
import type { RunRecord, RunStart, SessionRecord } from '../record.js';
import { createAppender } from './append.js';
import {
  acknowledge,
  type Claim,
  claim,
  pendingApprovals,
  receptionOf,
  takeDecided,
  withdrawClaim,
} from './approval.js';
import type { Connection } from './connection.js';
import { sumDrift } from './drift.js';
import { listSessions } from './list.js';
import { createOwnership, type Self } from './owner.js';
import { compact, deleteSession, planPrune, removeOld, usedBytes } from './prune.js';
import { endRun, findRun, startRun } from './run.js';
import { assertCurrent, migrate, RUN_SHIFT } from './schema.js';
import { searchEvents } from './search.js';
import { findSession, sessionsByNo } from './session.js';
import { sumTotals } from './totals.js';

export interface Batch {
  runId: string;
  /** Events as JSON. */
  bodies: string[];
}

/** A part of a run's events. `ended`: nothing will follow. */
export interface EventPage {
  bodies: string[];
  lastSeq: number;
  ended: boolean;
}

export interface Change {
  runId: string;
  session: number;
}

export type Engine = ReturnType<typeof createEngine>;

const PAGE = 1000;

export function createEngine(db: Connection, self: Self) {
  migrate(db);
  const owners = createOwnership(db, self);
  const appender = createAppender(db, self, owners);
  let seenVersion = highestVersion();
  let seenData = dataVersion();

  const write = <Result>(work: () => Result): Result =>
    db.transaction(() => {
      assertCurrent(db);
      return work();
    });

  return {
    startRun: (start: RunStart): RunRecord => {
      const no = write(() => startRun(db, self, start));
      owners.see(findRun(db, start.runId) ?? {});
      return recordOf(start.runId, no);
    },
    /** Several runs in one transaction: with many of them, committing is what costs. */
    append(batches: readonly Batch[]): number[] {
      try {
        return write(() => {
          const acknowledged = batches.map(({ runId, bodies }) => appender.append(runId, bodies));
          appender.index();
          return acknowledged;
        });
      } catch (error) {
        appender.forget();
        throw error;
      }
    },
    endRun: (runId: string, sourceState?: string) => write(() => endRun(db, runId, sourceState)),
    page(runId: string, fromSeq: number): EventPage {
      const run = findRun(db, runId);
      if (!run) throw new GlassboxError('not-found', `There is no run "${runId}" in the store ${db.path}.`);
      const first = Number(run.no) * RUN_SHIFT;
      const rows = db.all(
        `select body from event where id >= ? and id < ? limit ${PAGE}`,
        ...[first + fromSeq, first + RUN_SHIFT],
      );
      const ended = run.ended_at !== null || run.heartbeat_at === null;
      return { bodies: rows.map((row) => String(row.body)), lastSeq: Number(run.last_seq), ended };
    },
    session: (ref: string): SessionRecord | undefined => {
      owners.reap();
      const no = findSession(db, ref);
      return no === undefined ? undefined : sessionsByNo(db, [no])[0];
    },
    sessions: (numbers: readonly number[]) => sessionsByNo(db, numbers),
    list: (query: ListQuery) => {
      owners.reap();
      return listSessions(db, query);
    },
    search: (query: SearchQuery) => {
      // Three times as fast over a million events, and nothing for those who only write.
      db.exec('pragma cache_size = -32768');
      return searchEvents(db, query);
    },
    totals: (query: TotalsQuery) => sumTotals(db, query),
    drift: (query: DriftQuery) => sumDrift(db, query),
    approvals: (runId?: string) => pendingApprovals(db, runId),
    claim: (claimed: Claim, answer: ApprovalAnswer) => write(() => claim(db, claimed, answer)),
    receptionOf: (claimed: Claim) => receptionOf(db, claimed),
    withdrawClaim: (claimed: Claim) => write(() => withdrawClaim(db, claimed)),
    takeDecided: (runId: string) => takeDecided(db, runId),
    acknowledge: (runId: string, id: string, reception: Reception) =>
      write(() => acknowledge(db, runId, id, reception)),
    delete: (sessionId: string) => write(() => deleteSession(db, sessionId)),
    /** Pruning comes in steps, so that nobody else has to wait for all of it. */
    planPrune: (query: PruneQuery) => planPrune(db, query, self.now()),
    removeOld: (session: number) => write(() => removeOld(db, session)),
    compact: () => compact(db),
    size: () => usedBytes(db),
    beat: owners.beat,
    reap: owners.reap,

    /** Whether another process wrote since the last call; cheap enough to be asked ten times a second. */
    hasForeignChanges(): boolean {
      const before = seenData;
      seenData = dataVersion();
      return seenData !== before;
    },
    /** Runs that anybody changed since the last call. */
    changes(): Change[] {
      const rows = db.all('select id, session, version from run where version > ? order by version', seenVersion);
      seenVersion = Number(rows.at(-1)?.version ?? seenVersion);
      return rows.map((row) => ({ runId: String(row.id), session: Number(row.session) }));
    },
    close: () => db.close(),
  };

  function recordOf(runId: string, no: number): RunRecord {
    const session = Number(db.get('select session from run where no = ?', no)?.session);
    const run = sessionsByNo(db, [session])[0]?.runs.find((candidate) => candidate.runId === runId);
    if (!run) throw new GlassboxError('store', `The run "${runId}" was removed while it was started.`);
    return run;
  }

  function highestVersion(): number {
    return Number(db.get('select version from change')?.version);
  }

  function dataVersion(): number {
    return Number(db.get('pragma data_version')?.data_version);
  }
}
