/** Everything the store can do, on a database that others use too. */
import { GlassboxError } from '../../event/index.js';
import type { RunRecord } from '../record.js';
import type { Batch, Engine, Holder } from '../shell/engine.js';
import { latestLimits } from '../table/limit-row.js';
import type { Self } from '../table/owner-row.js';
import type { Row } from '../table/row.js';
import { createAppender } from './append.js';
import { listDecisions, pendingApprovals } from './approval.js';
import { KEPT_MS } from './change-feed.js';
import type { Asker, Database } from './connection.js';
import { sumDrift } from './drift.js';
import { acknowledge, isTold, post, receptionOf, take, withdraw } from './instruction.js';
import { labelSession } from './label.js';
import { listSessions } from './list.js';
import { dropEmptyMonth } from './month.js';
import { createOwnership } from './owner.js';
import { mergePiped } from './piped-again.js';
import { deleteSession, planPrune, removeOld, usedBytes } from './prune.js';
import { createRun, emptyRun, endRun } from './run.js';
import { findRun, holdRun } from './run-row.js';
import { searchEvents } from './search.js';
import { findSession, sessionsByNo } from './session.js';
import { sumTotals } from './totals.js';
import { createWrite, type Transaction } from './transaction.js';
import { keepWhole, listSources } from './whole-run.js';

/** The same calls, each of which waits. */
type Waiting<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (...args: infer Args) => infer Done
    ? (...args: Args) => Promise<Done>
    : never;
};

export interface DatabaseEngine extends Waiting<Engine> {
  append(batches: readonly Batch[]): Promise<(number | GlassboxError)[]>;
  /** Marks the runs whose owner is gone as interrupted. */
  reap(): Promise<void>;
  /** Removes what only stands there for a short time. */
  sweep(): Promise<void>;
}

const PAGE = 1000;

export function createEngine(db: Database, self: Self, own: Holder): DatabaseEngine {
  const write = createWrite(db);
  const owners = createOwnership(self);
  const appender = createAppender(owners);
  let reapedAt = Number.NEGATIVE_INFINITY;

  return {
    async startRun(start, held, by = own) {
      const epoch = await write(async (tx) => {
        const known = await holdRun(tx, start.runId);
        const run = known ?? (await createRun(tx, start, (session) => owners.requireIdle(tx, session)));
        if (known && start.replace) {
          await owners.vacate(tx, known, { held, by });
          await emptyRun(tx, Number(known.no));
        }
        if (start.owned === false) return undefined;
        const now = known && start.replace ? ((await findRun(tx, start.runId)) ?? run) : run;
        return owners.claim(tx, now, { held, reopen: start.reopen, by });
      });
      return { record: await recordOf(start.runId), ...(epoch !== undefined && { epoch }) };
    },
    append: (batches) => remembering(() => write((tx) => appender.append(tx, batches))),
    keepRuns: (runs) =>
      remembering(() =>
        write(async (tx) => {
          const owned: string[] = [];
          for (const run of runs) if (!(await keepWhole(tx, run, { owners, appender }))) owned.push(run.start.runId);
          return owned;
        }),
      ),
    sources: () => listSources(db),
    endRun: (runId, sourceState, epoch) =>
      write(async (tx) => {
        const run = await holdRun(tx, runId);
        if (!run) return;
        await owners.admit(tx, run, epoch);
        const isKept = run.piped !== null && sourceState !== undefined && (await mergePiped(tx, run, sourceState));
        if (!isKept) await endRun(tx, run, sourceState);
      }),
    async page(runId, fromSeq) {
      const run = await knownRun(db, runId);
      const rows = await db.all(
        `select body from event where run = $1 and seq >= $2 order by seq limit ${PAGE}`,
        ...[Number(run.no), fromSeq],
      );
      const ended = run.ended_at !== null || run.heartbeat_at === null;
      return { bodies: rows.map(({ body }) => String(body)), lastSeq: Number(run.last_seq), ended };
    },
    async session(ref) {
      await reapSometimes();
      const no = await findSession(db, ref);
      return no === undefined ? undefined : (await sessionsByNo(db, [no]))[0];
    },
    sessions: (numbers) => sessionsByNo(db, numbers),
    async list(query) {
      await reapSometimes();
      return listSessions(db, query);
    },
    search: (query) => searchEvents(db, query),
    totals: (query) => sumTotals(db, query),
    limits: async () => latestLimits(await db.all('select agent, limits from run where limits is not null')),
    drift: (query) => sumDrift(db, query),
    async approvals(runId) {
      await reapSometimes();
      return pendingApprovals(db, runId);
    },
    decisions: (query) => listDecisions(db, query),
    async post(told) {
      await reapSometimes();
      return write((tx) => post(tx, told));
    },
    receptionOf: (id) => receptionOf(db, id),
    withdraw: (id) => write((tx) => withdraw(tx, id)),
    async take(runId, epoch) {
      if (!(await isTold(db, runId))) return [];
      return write(async (tx) => take(tx, await ownRun(tx, runId, epoch)));
    },
    acknowledge: (runId, id, reception, epoch) =>
      write(async (tx) => acknowledge(tx, await ownRun(tx, runId, epoch), id, reception)),
    async label(sessionId, label) {
      const no = await write((tx) => labelSession(tx, sessionId, label));
      const [session] = await sessionsByNo(db, [no]);
      if (!session) throw new GlassboxError('not-found', `There is no session "${sessionId}".`);
      return session;
    },
    delete: (sessionId) => write((tx) => deleteSession(tx, sessionId)),
    planPrune: (query) => planPrune(db, query),
    removeOld: (session) => write((tx) => removeOld(tx, session)),
    compact: () => dropEmptyMonth(db),
    size: () => usedBytes(db),
    beatFor: (held) => write((tx) => owners.beat(tx, held)),
    reap,
    async sweep() {
      await write(async (tx) => {
        await tx.run(`delete from change where at < now_ms() - ${KEPT_MS}`);
        await tx.run(`delete from instruction where status = 'settled' and settled_at < now_ms() - ${KEPT_MS}`);
      });
    },
  };

  async function reap(): Promise<void> {
    reapedAt = performance.now();
    await write((tx) => owners.reap(tx));
  }

  /** Whoever asks sees who died, but a page that many look at does not look for the dead each time. */
  async function reapSometimes(): Promise<void> {
    if (performance.now() - reapedAt > REAP_MS) await reap();
  }

  async function remembering<Done>(work: () => Promise<Done>): Promise<Done> {
    try {
      return await work();
    } catch (error) {
      appender.forget();
      throw error;
    }
  }

  async function knownRun(asker: Asker, runId: string): Promise<Row> {
    const run = await findRun(asker, runId);
    if (!run) throw new GlassboxError('not-found', `There is no run "${runId}" in the store ${db.address.shown}.`);
    return run;
  }

  async function ownRun(tx: Transaction, runId: string, epoch: number | undefined): Promise<Row> {
    const run = (await holdRun(tx, runId)) ?? (await knownRun(tx, runId));
    await owners.admit(tx, run, epoch);
    return run;
  }

  async function recordOf(runId: string): Promise<RunRecord> {
    const session = Number((await findRun(db, runId))?.session);
    const run = (await sessionsByNo(db, [session]))[0]?.runs.find((candidate) => candidate.runId === runId);
    if (!run) throw new GlassboxError('store', `The run "${runId}" was removed while it was started.`);
    return run;
  }
}

/** How soon a dead owner is noticed by those who look. */
export const REAP_MS = 2_000;
