/** Keeps events: in one transaction the events themselves, their words, the record of the run and what it spent. */
import type { AgentEvent } from '../../event/index.js';
import { type Document, documentOf } from '../document.js';
import { SEARCH_FIELDS, type SearchField } from '../query.js';
import type { Batch } from '../shell/engine.js';
import { addEvent, createFigures, createSummary, openingOf, type Summary } from '../summary.js';
import { FIGURE_COLUMNS, figureValues, limitValue } from '../table/figure-row.js';
import type { Row } from '../table/row.js';
import { separateIdeographs } from '../words.js';
import { followEvent } from './approval.js';
import { noteChange } from './change.js';
import type { Connection } from './connection.js';
import { countUnknown } from './drift.js';
import type { Statement } from './driver.js';
import { checksum, eventOf } from './event-row.js';
import type { Ownership } from './owner.js';
import { addAgentSession, createRun } from './run.js';
import { findRun } from './run-row.js';
import { RUN_SHIFT } from './schema.js';
import { balanceBefore, createSpending } from './spending.js';

export interface Appender {
  /** Events of one run, in order. Gives the highest `seq` that is kept; throws, and writes nothing, when another owns the run. `known`: its row, where it was just read. */
  append(batch: Batch, known?: Row): number;
  /**
   * Puts the words of what was appended into the index; to be called last in the same transaction. Any other statement in between
   * makes the index write out what it has so far, which costs more than the words themselves.
   */
  index(): void;
  /** To be called when a transaction failed: what was remembered about runs may not have come to pass. */
  forget(): void;
}

export function createAppender(db: Connection, owners: Ownership): Appender {
  const insertEvent = db.prepare('insert into event (id, body, tool, sum) values (?, ?, ?, ?)');
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

  function append({ runId, bodies, epoch, by, onlyFigures }: Batch, known?: Row): number {
    const events = bodies.map((body) => JSON.parse(body) as AgentEvent);
    const run = known ?? findRun(db, runId) ?? createFrom(events);
    if (!run) return 0;
    const no = Number(run.no);
    owners.admit(run, epoch, by);
    const summary = onlyFigures ? createFigures() : summaryOf(runId, run);
    const ids = summary.agentSessionIds.size;
    let changed = false;
    for (const [index, event] of events.entries()) {
      if (event.seq <= summary.lastSeq) continue;
      if (!onlyFigures) keepEvent(run, event, bodies[index] ?? '', summary);
      const additions = addEvent(summary, event, () => balanceBefore(db, run, summary.agentSessionId));
      if (additions) spending.add(no, event, additions, onlyFigures);
      changed = true;
    }
    if (!changed) return summary.lastSeq;
    if (onlyFigures) summary.lastSeq = 0;
    spending.save();
    saveSummary(no, summary);
    for (const id of [...summary.agentSessionIds].slice(ids)) addAgentSession(db, run, id);
    if (summary.endedAt !== undefined || onlyFigures) summaries.delete(runId);
    return summary.lastSeq;
  }

  function keepEvent(run: Row, event: AgentEvent, body: string, summary: Summary): void {
    const no = Number(run.no);
    if ((event.fromSeq ?? event.seq) <= summary.lastSeq) uncover(no, event);
    keep(no * RUN_SHIFT + event.seq, event, body, summary);
    if (run.piped === null) followEvent(db, no, event);
    if (event.type === 'unknown') countUnknown(db, no, event);
    summary.bytes += body.length;
  }

  function createFrom(events: readonly AgentEvent[]): Row | undefined {
    const [first] = events;
    if (!first) return undefined;
    return createRun(db, { runId: first.runId, agent: first.agent, startedAt: first.at });
  }

  /** This process only now came to the run, or others write to one that nobody owns: then the kept events are read again. */
  function summaryOf(runId: string, run: Row): Summary {
    const known = summaries.get(runId);
    if (known && known.lastSeq === run.last_seq) return known;
    const summary = createSummary();
    const find = () => balanceBefore(db, run, summary.agentSessionId);
    for (const row of eventsOf(Number(run.no))) {
      const event = eventOf(row);
      if (event) addEvent(summary, event, find);
    }
    // The last one may be damaged, and counts all the same.
    summary.lastSeq = Number(run.last_seq);
    summary.bytes = Number(run.bytes);
    summaries.set(runId, summary);
    return summary;
  }

  function eventsOf(run: number): Row[] {
    return db.all('select body, sum from event where id >= ? and id < ?', run * RUN_SHIFT, (run + 1) * RUN_SHIFT);
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
    insertEvent.run(id, body, tool, checksum(body));
    if (document) documents.push({ ...document, id, tool });
  }

  function saveSummary(run: number, summary: Summary): void {
    db.run(
      SAVE,
      ...[summary.agentSessionId ?? null, summary.agentVersion ?? null, summary.model ?? null],
      ...[summary.cwd ?? null, summary.title ?? null, summary.prompt ?? null],
      ...[openingOf(summary) ?? null, summary.updatedAt],
      ...[summary.lastSeq, summary.bytes],
      ...[summary.endedAt ?? null, summary.outcome ?? null, summary.error ?? null],
      ...[summary.turns, summary.toolCalls, limitValue(summary)],
      summary.stuck ? JSON.stringify(summary.stuck) : null,
      ...[...figureValues(summary.ledger), run],
    );
    noteChange(db, run);
  }
}

const SAVE = `update run set agent_session = coalesce(?, agent_session), agent_version = ?, model = coalesce(?, model),
  cwd = coalesce(cwd, ?), title = ?, prompt = ?, opening = ?, updated_at = ?, last_seq = ?, bytes = ?,
  ended_at = ?, outcome = ?, error = ?, turns = ?, tool_calls = ?, limits = ?, stuck = ?,
  ${FIGURE_COLUMNS.map((column) => `${column} = ?`).join(', ')}
  where no = ?`;

/** A tool's input and its end may come without its name. */
function toolOf(event: AgentEvent, { toolNames }: Summary): string | undefined {
  if (event.type === 'tool-input-end') return toolNames.get(event.id);
  return event.type === 'tool-end' ? (event.name ?? toolNames.get(event.id)) : undefined;
}
