/** Everything the store can do, synchronously, on one connection. It lives in the worker thread. */
import { GlassboxError, type Reception } from '../../event/index.js';
import type { SqlStatement } from '../fleet/sql.js';
import type { DriftQuery, ListQuery, PruneQuery, SearchQuery, TotalsQuery } from '../query.js';
import type { RunRecord, SessionLabel, SessionRecord } from '../record.js';
import type { Batch, Engine, EventPage, Holder } from '../shell/engine.js';
import type { Self } from '../table/owner-row.js';
import type { Row } from '../table/row.js';
import { createAppender } from './append.js';
import { listDecisions, pendingApprovals } from './approval.js';
import { createChangeReader } from './change.js';
import { type Connection, connect } from './connection.js';
import { sumDrift } from './drift.js';
import { soundBodies } from './event-row.js';
import { acknowledge, forget, isTold, post, receptionOf, take, withdraw } from './instruction.js';
import { tidyLog } from './instruction-text.js';
import { labelSession } from './label.js';
import { listLimits } from './limits.js';
import { listSessions } from './list.js';
import { findOpenings } from './opening.js';
import { createOwnership } from './owner.js';
import { mergePiped } from './piped-again.js';
import { compact, deleteSession, planPrune, removeOld, usedBytes } from './prune.js';
import { recount } from './recount.js';
import { createRun, emptyRun, endRun } from './run.js';
import { findRun } from './run-row.js';
import { assertCurrent, migrate, RUN_SHIFT } from './schema.js';
import { searchEvents } from './search.js';
import { findSession, sessionsByNo } from './session.js';
import { sumTotals } from './totals.js';
import { keepWhole, listSources } from './whole-run.js';

export type FileEngine = ReturnType<typeof createEngine>;

const PAGE = 1000;

/** Throws what the engine throws, and then nothing holds the file any more: whoever was refused may want to move it. */
export async function openEngine(path: string, self: Self): Promise<FileEngine> {
  const connection = await connect(path);
  try {
    return createEngine(connection, self);
  } catch (error) {
    connection.close();
    throw error;
  }
}

export function createEngine(db: Connection, self: Self) {
  migrate(db, { recount, findOpenings });
  const owners = createOwnership(db, self);
  const appender = createAppender(db, owners);
  const { read: changes } = createChangeReader(db);
  let seenData = dataVersion();

  const write = <Result>(work: () => Result): Result => {
    const result = db.transaction(() => {
      assertCurrent(db);
      return work();
    });
    tidyLog(db);
    return result;
  };

  const engine: Engine = {
    startRun(start, held, by) {
      const epoch = write(() => {
        const known = findRun(db, start.runId);
        if (!known) createRun(db, start, owners.requireIdle);
        else if (start.replace) {
          owners.vacate(known, held, by);
          emptyRun(db, Number(known.no));
        }
        const run = findRun(db, start.runId);
        return run && start.owned !== false ? owners.claim(run, held, { reopen: start.reopen, by }) : undefined;
      });
      return { record: recordOf(start.runId), ...(epoch !== undefined && { epoch }) };
    },
    keepRuns(runs) {
      try {
        return write(() => {
          const owned = runs.flatMap((run) => (keepWhole(db, run, { owners, appender }) ? [] : [run.start.runId]));
          appender.index();
          return owned;
        });
      } catch (error) {
        appender.forget();
        throw error;
      }
    },
    sources: () => listSources(db),
    endRun: (runId, sourceState, epoch, by) =>
      write(() => {
        if (!findRun(db, runId)) return;
        const run = ownRun(runId, epoch, by);
        const isKept = run.piped !== null && sourceState !== undefined && mergePiped(db, run, sourceState);
        if (!isKept) endRun(db, run, sourceState);
      }),
    page(runId: string, fromSeq: number): EventPage {
      const run = knownRun(runId);
      const first = Number(run.no) * RUN_SHIFT;
      const rows = db.all(
        `select id, body, sum from event where id >= ? and id < ? limit ${PAGE}`,
        ...[first + fromSeq, first + RUN_SHIFT],
      );
      const ended = run.ended_at !== null || run.heartbeat_at === null;
      return { bodies: soundBodies(rows, run, fromSeq), lastSeq: Number(run.last_seq), ended };
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
    limits: () => listLimits(db),
    drift: (query: DriftQuery) => sumDrift(db, query),
    approvals: (runId?: string) => {
      owners.reap();
      return pendingApprovals(db, runId);
    },
    decisions: (query) => listDecisions(db, query),
    post: (told) => {
      owners.reap();
      return write(() => post(db, told));
    },
    receptionOf(id: string): Reception | undefined {
      const reception = receptionOf(db, id);
      if (reception) write(() => forget(db, id));
      return reception;
    },
    withdraw: (id: string) => write(() => withdraw(db, id)),
    take: (runId, epoch, by) =>
      isTold(db, runId) ? write(() => take(db, ownRun(runId, epoch, by), by !== undefined)) : [],
    acknowledge: (runId, id, reception, epoch, by) =>
      write(() => acknowledge(db, ownRun(runId, epoch, by), id, reception)),
    label(sessionId: string, label: SessionLabel): SessionRecord {
      const no = write(() => labelSession(db, sessionId, label));
      const [session] = sessionsByNo(db, [no]);
      if (!session) throw new GlassboxError('not-found', `There is no session "${sessionId}".`);
      return session;
    },
    delete: (sessionId: string) => write(() => deleteSession(db, sessionId)),
    planPrune: (query: PruneQuery) => planPrune(db, query, db.now()),
    removeOld: (session: number) => write(() => removeOld(db, session)),
    compact: () => compact(db),
    size: () => usedBytes(db),
    beatFor: (held) => write(() => owners.beatFor(held)),
  };

  return {
    ...engine,
    fleet: (statements: readonly SqlStatement[]): Row[][] =>
      write(() => statements.map(({ sql, values }) => db.all(sql, ...values))),
    /** Several runs in one transaction: with many of them, committing is what costs. One that is refused harms no other. */
    append(batches: readonly Batch[]): (number | GlassboxError)[] {
      try {
        return write(() => {
          const acknowledged = batches.map((batch) => orRefusal(() => appender.append(batch)));
          appender.index();
          return acknowledged;
        });
      } catch (error) {
        appender.forget();
        throw error;
      }
    },
    beat() {
      owners.beat();
      tidyLog(db);
    },
    reap() {
      owners.reap();
      tidyLog(db);
    },

    /** Whether another process wrote since the last call; cheap enough to be asked ten times a second. */
    hasForeignChanges(): boolean {
      const before = seenData;
      seenData = dataVersion();
      return seenData !== before;
    },
    /** Runs that anybody changed since the last call. */
    changes,
    close: () => db.close(),
  };

  function knownRun(runId: string): Row {
    const run = findRun(db, runId);
    if (!run) throw new GlassboxError('not-found', `There is no run "${runId}" in the store ${db.path}.`);
    return run;
  }

  function ownRun(runId: string, epoch: number | undefined, by?: Holder): Row {
    const run = knownRun(runId);
    owners.admit(run, epoch, by);
    return run;
  }

  function recordOf(runId: string): RunRecord {
    const session = Number(findRun(db, runId)?.session);
    const run = sessionsByNo(db, [session])[0]?.runs.find((candidate) => candidate.runId === runId);
    if (!run) throw new GlassboxError('store', `The run "${runId}" was removed while it was started.`);
    return run;
  }

  function dataVersion(): number {
    return Number(db.get('pragma data_version')?.data_version);
  }
}

/** A run that another owns now; whatever else fails, fails for all. */
function orRefusal<Result>(work: () => Result): Result | GlassboxError {
  try {
    return work();
  } catch (error) {
    if (error instanceof GlassboxError && error.code === 'conflict') return error;
    throw error;
  }
}
