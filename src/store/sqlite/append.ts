/** Keeps events: in one transaction the events themselves, their words, the record of the run and what it spent. */
import type { AgentEvent } from '../../event/index.js';
import { type Document, documentOf } from '../document.js';
import { SEARCH_FIELDS, type SearchField } from '../query.js';
import { addEvent, createSummary, type Summary } from '../summary.js';
import { separateIdeographs } from '../words.js';
import type { Connection } from './connection.js';
import { countUnknown } from './drift.js';
import type { Row, Statement } from './driver.js';
import type { Ownership, Self } from './owner.js';
import { usageValues } from './row.js';
import { addAgentSession, findRun, nextVersion, startRun } from './run.js';
import { RUN_SHIFT } from './schema.js';
import { baselineOf, createSpending } from './spending.js';

export interface Appender {
  /** Events of one run as JSON, in order. Gives the highest `seq` that is kept. */
  append(runId: string, bodies: readonly string[]): number;
  /**
   * Puts the words of what was appended into the index; to be called last in the same transaction. Any other statement in between
   * makes the index write out what it has so far, which costs more than the words themselves.
   */
  index(): void;
  /** To be called when a transaction failed: what was remembered about runs may not have come to pass. */
  forget(): void;
}

export function createAppender(db: Connection, self: Self, owners: Ownership): Appender {
  const insertEvent = db.prepare('insert into event (id, body, tool) values (?, ?, ?)');
  const insertWords = Object.fromEntries(
    SEARCH_FIELDS.map((field) => [field, db.prepare(`insert into search (rowid, ${field}, tool) values (?, ?, ?)`)]),
  ) as Record<SearchField, Statement>;
  const summaries = new Map<string, Summary>();
  const spending = createSpending(db);
  let documents: (Document & { id: number; tool: string | null })[] = [];

  return {
    append,
    index() {
      // In the order of their ids, because going back makes the index write out too.
      for (const { id, field, text, tool } of documents.splice(0).sort((a, b) => a.id - b.id)) {
        insertWords[field].run(id, separateIdeographs(text), tool);
      }
    },
    forget() {
      summaries.clear();
      spending.forget();
      documents = [];
    },
  };

  function append(runId: string, bodies: readonly string[]): number {
    const events = bodies.map((body) => JSON.parse(body) as AgentEvent);
    const run = findRun(db, runId) ?? createFrom(events);
    if (!run) return 0;
    const no = Number(run.no);
    owners.see(run);
    const summary = summaryOf(runId, run);
    const known = summary.agentSessionIds.size;
    let changed = false;
    for (const [index, event] of events.entries()) {
      if (event.seq <= summary.lastSeq) continue;
      if ((event.fromSeq ?? event.seq) <= summary.lastSeq) uncover(no, event);
      keep(no * RUN_SHIFT + event.seq, event, bodies[index] ?? '', summary);
      if (run.piped === null) followApproval(no, event);
      if (event.type === 'unknown') countUnknown(db, no, event);
      const additions = addEvent(summary, event);
      if (additions) spending.add(no, event.at, additions);
      summary.bytes += bodies[index]?.length ?? 0;
      changed = true;
    }
    if (!changed) return summary.lastSeq;
    spending.save();
    saveSummary(no, summary);
    for (const id of [...summary.agentSessionIds].slice(known)) addAgentSession(db, no, String(run.agent), id);
    if (summary.endedAt !== undefined) summaries.delete(runId);
    return summary.lastSeq;
  }

  function createFrom(events: readonly AgentEvent[]): Row | undefined {
    const [first] = events;
    if (!first) return undefined;
    startRun(db, self, { runId: first.runId, agent: first.agent, startedAt: first.at, owned: false });
    return findRun(db, first.runId);
  }

  /** Another process may have written to the run, or this one only now came to it: then the kept events are read again. */
  function summaryOf(runId: string, run: Row): Summary {
    const known = summaries.get(runId);
    if (known && known.lastSeq === run.last_seq) return known;
    const summary = createSummary(baselineOf(db, run));
    for (const { body } of eventsOf(Number(run.no))) addEvent(summary, JSON.parse(String(body)));
    summary.bytes = Number(run.bytes);
    summaries.set(runId, summary);
    return summary;
  }

  function eventsOf(run: number): Row[] {
    return db.all('select body from event where id >= ? and id < ?', run * RUN_SHIFT, (run + 1) * RUN_SHIFT);
  }

  function uncover(run: number, { fromSeq = 0, seq }: AgentEvent): void {
    const [from, to] = [run * RUN_SHIFT + fromSeq, run * RUN_SHIFT + seq];
    documents = documents.filter(({ id }) => id < from || id >= to);
    db.run('delete from search where rowid >= ? and rowid < ?', from, to);
    db.run('delete from event where id >= ? and id < ?', from, to);
  }

  function keep(id: number, event: AgentEvent, body: string, summary: Summary): void {
    const document = documentOf(event);
    const tool = (document && toolOf(event, summary)) ?? null;
    insertEvent.run(id, body, tool);
    if (document) documents.push({ ...document, id, tool });
  }

  function followApproval(run: number, event: AgentEvent): void {
    if (event.type === 'approval-request') {
      db.run(
        "insert or ignore into approval (run, id, seq, status) values (?, ?, ?, 'pending')",
        ...[run, event.id, event.seq],
      );
    } else if (event.type === 'approval-resolve' || event.type === 'approval-withdraw') {
      const status = event.type === 'approval-resolve' ? 'resolved' : 'withdrawn';
      db.run('update approval set status = ? where run = ? and id = ?', status, run, event.id);
    } else if (event.type === 'run-end') {
      db.run(
        "update approval set status = 'withdrawn' where run = ? and status in ('pending', 'decided', 'taken')",
        run,
      );
    }
  }

  function saveSummary(run: number, summary: Summary): void {
    const reported = summary.ledger.reported();
    db.run(
      `update run set version = ?, agent_session = coalesce(?, agent_session), agent_version = ?, model = coalesce(?, model),
         cwd = coalesce(cwd, ?), title = ?, prompt = ?, updated_at = ?, last_seq = ?, bytes = ?,
         ended_at = ?, outcome = ?, error = ?, usd = ?, origin = ?, reported = ?,
         input = ?, output = ?, cache_read = ?, cache_write = ?, thinking = ?, turns = ?, tool_calls = ?
       where no = ?`,
      ...[nextVersion(db), summary.agentSessionId ?? null, summary.agentVersion ?? null, summary.model ?? null],
      ...[summary.cwd ?? null, summary.title ?? null, summary.prompt ?? null, summary.updatedAt],
      ...[summary.lastSeq, summary.bytes],
      ...[summary.endedAt ?? null, summary.outcome ?? null, summary.error ?? null],
      ...[summary.spent?.usd ?? null, summary.spent?.origin ?? null, reported ? JSON.stringify(reported) : null],
      ...usageValues(summary.usage),
      ...[summary.turns, summary.toolCalls, run],
    );
  }
}

/** A tool's input and its end may come without its name. */
function toolOf(event: AgentEvent, { toolNames }: Summary): string | undefined {
  if (event.type === 'tool-input-end') return toolNames.get(event.id);
  return event.type === 'tool-end' ? (event.name ?? toolNames.get(event.id)) : undefined;
}
