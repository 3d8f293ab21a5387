/** Keeps events: in one transaction the events themselves, their words, the records of the runs and what they spent. */
import { type AgentEvent, GlassboxError } from '../../event/index.js';
import { documentOf } from '../document.js';
import type { Batch } from '../shell/engine.js';
import { addEvent, createFigures, createSummary, type Summary } from '../summary.js';
import type { Row } from '../table/row.js';
import { followEvent } from './approval.js';
import { findBalances } from './balance.js';
import type { Asker } from './connection.js';
import { countUnknown } from './drift.js';
import { eventsOf } from './event.js';
import type { Ownership } from './owner.js';
import { addAgentSession, createRun } from './run.js';
import { createSpending, type Spending } from './spending.js';
import type { Transaction } from './transaction.js';
import { createWrittenRows, type WrittenRows } from './written-rows.js';

export interface Appender {
  /** Several runs in one transaction: with many of them, committing is what costs. One that is refused harms no other. */
  append(tx: Transaction, batches: readonly Batch[]): Promise<(number | GlassboxError)[]>;
  /** To be called when a transaction failed: what was remembered about runs may not have come to pass. */
  forget(): void;
}

interface Known {
  summary: Summary;
  /** Under which it was added up: nobody else emptied it or went on with it meanwhile. */
  epoch: number;
}

/** What is needed of a run's row to write to it. */
const NEEDED = `no, id, session, agent, epoch, last_seq, bytes, outcome, ended_at, heartbeat_at, pid, piped, resumed_from, resumes, started_at`;

/** Runs that may go on; what is forgotten is added up again. */
const MOST_KNOWN = 5000;

export function createAppender(owners: Ownership): Appender {
  const known = new Map<string, Known>();

  return {
    async append(tx, batches) {
      const rows = createWrittenRows();
      const spending = createSpending();
      const runs = await lockRuns(tx, batches);
      const acknowledged: (number | GlassboxError)[] = [];
      const joins: (() => Promise<void>)[] = [];
      for (const batch of batches) {
        try {
          acknowledged.push(await add(tx, batch, { runs, rows, spending, joins }));
        } catch (error) {
          // A run that another owns now; whatever else fails, fails for all.
          if (!(error instanceof GlassboxError) || error.code !== 'conflict') throw error;
          acknowledged.push(error);
        }
      }
      await rows.save(tx);
      await spending.save(tx);
      for (const join of joins) await join();
      return acknowledged;
    },
    forget: () => known.clear(),
  };

  async function add(
    tx: Transaction,
    { runId, bodies, epoch, onlyFigures }: Batch,
    {
      runs,
      rows,
      spending,
      joins,
    }: { runs: Map<string, Row>; rows: WrittenRows; spending: Spending; joins: (() => Promise<void>)[] },
  ): Promise<number> {
    const events = bodies.map((body) => JSON.parse(body) as AgentEvent);
    const [first] = events;
    if (!first) return 0;
    const run = runs.get(runId) ?? (await createRun(tx, { runId, agent: first.agent, startedAt: first.at }));
    runs.set(runId, run);
    const no = Number(run.no);
    await owners.admit(tx, run, epoch);
    const summary = onlyFigures ? createFigures() : await summaryOf(tx, run);
    const news = events.filter(({ seq }) => seq > summary.lastSeq);
    if (news.length === 0) return summary.lastSeq;
    const find = await findBalances(tx, run, summary, news);
    const [before, ids] = [summary.lastSeq, summary.agentSessionIds.size];
    for (const [index, event] of events.entries()) {
      if (event.seq <= summary.lastSeq) continue;
      const body = bodies[index] ?? '';
      if (!onlyFigures) {
        if ((event.fromSeq ?? event.seq) <= summary.lastSeq) rows.uncover(no, event, before);
        rows.event(no, event, body, documentOf(event), toolOf(event, summary));
        if (run.piped === null) await followEvent(tx, no, event);
        if (event.type === 'unknown') await countUnknown(tx, no, event);
        summary.bytes += body.length;
      }
      const additions = addEvent(summary, event, find);
      if (additions) spending.add(no, event, additions, onlyFigures);
    }
    if (onlyFigures) summary.lastSeq = 0;
    rows.summary(no, summary);
    // A later batch of the same run goes on from here.
    runs.set(runId, { ...run, last_seq: summary.lastSeq, bytes: summary.bytes });
    tx.noteChange(no);
    for (const id of [...summary.agentSessionIds].slice(ids))
      joins.push(() => addAgentSession(tx, no, String(run.agent), id));
    if (summary.endedAt !== undefined || onlyFigures) known.delete(runId);
    return summary.lastSeq;
  }

  /** This process only now came to the run, or others write to it too: then what it does not know of the kept events is read. */
  async function summaryOf(tx: Asker, run: Row): Promise<Summary> {
    const [runId, epoch, lastSeq] = [String(run.id), Number(run.epoch), Number(run.last_seq)];
    const before = known.get(runId);
    if (before?.epoch === epoch && before.summary.lastSeq === lastSeq) return before.summary;
    const goesOn = before !== undefined && before.epoch === epoch && epoch > 0 && before.summary.lastSeq < lastSeq;
    const summary = goesOn ? before.summary : createSummary();
    const events = lastSeq > 0 ? await eventsOf(tx, Number(run.no), summary.lastSeq) : [];
    const find = await findBalances(tx, run, summary, events);
    for (const event of events) addEvent(summary, event, find);
    summary.lastSeq = lastSeq;
    summary.bytes = Number(run.bytes);
    known.delete(runId);
    known.set(runId, { summary, epoch });
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return summary;
  }
}

/** Always in the same order, so that nobody waits for somebody who waits for him. */
async function lockRuns(tx: Asker, batches: readonly Batch[]): Promise<Map<string, Row>> {
  const ids = [...new Set(batches.map(({ runId }) => runId))];
  const rows = await tx.all(`select ${NEEDED} from run where id = any($1::text[]) order by no for update`, ids);
  return new Map(rows.map((row) => [String(row.id), row]));
}

/** A tool's input and its end may come without its name. */
function toolOf(event: AgentEvent, { toolNames }: Summary): string | undefined {
  if (event.type === 'tool-input-end') return toolNames.get(event.id);
  return event.type === 'tool-end' ? (event.name ?? toolNames.get(event.id)) : undefined;
}
