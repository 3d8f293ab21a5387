/** Keeps events: in one transaction the events themselves, their words, the record of the run and what it spent. */
import type { AgentEvent } from '../../event/index.js';
import { documentOf } from '../document.js';
import type { Baseline, Reported } from '../meter.js';
import { type Additions, addEvent, createSummary, type Summary } from '../summary.js';
import { separateIdeographs } from '../words.js';
import type { Connection } from './connection.js';
import type { Row } from './driver.js';
import type { Ownership, Self } from './owner.js';
import { text, usageOf, usageValues } from './row.js';
import { addAgentSession, findRun, nextVersion, startRun } from './run.js';
import { RUN_SHIFT } from './schema.js';

const QUARTER_MS = 900_000;

export interface Appender {
  /** Events of one run as JSON, in order. Gives the highest `seq` that is kept. Must run within a transaction. */
  append(runId: string, bodies: readonly string[]): number;
  /** To be called when a transaction failed: what was remembered about runs may not have come to pass. */
  forget(): void;
}

export function createAppender(db: Connection, self: Self, owners: Ownership): Appender {
  const summaries = new Map<string, Summary>();
  return { append, forget: () => summaries.clear() };

  function append(runId: string, bodies: readonly string[]): number {
    const events = bodies.map((body) => JSON.parse(body) as AgentEvent);
    const run = findRun(db, runId) ?? createFrom(events);
    if (!run) return 0;
    const no = Number(run.no);
    owners.see(run);
    const summary = summaryOf(runId, run);
    const sessionIds = summary.agentSessionIds.size;
    let changed = false;
    for (const [index, event] of events.entries()) {
      if (event.seq <= summary.lastSeq) continue;
      if ((event.fromSeq ?? event.seq) <= summary.lastSeq) uncover(no, event);
      keep(no * RUN_SHIFT + event.seq, event, bodies[index] ?? '', summary);
      followApproval(no, event);
      const additions = addEvent(summary, event);
      if (additions) addSpending(no, event, additions);
      summary.bytes += bodies[index]?.length ?? 0;
      changed = true;
    }
    if (!changed) return summary.lastSeq;
    saveSummary(no, summary);
    if (summary.agentSessionIds.size > sessionIds) {
      for (const id of summary.agentSessionIds) addAgentSession(db, no, String(run.agent), id);
    }
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
    const summary = createSummary(baselineOf(run));
    for (const { body } of eventsOf(Number(run.no))) addEvent(summary, JSON.parse(String(body)));
    summary.bytes = Number(run.bytes);
    summaries.set(runId, summary);
    return summary;
  }

  function eventsOf(run: number): Row[] {
    return db.all('select body from event where id >= ? and id < ?', run * RUN_SHIFT, (run + 1) * RUN_SHIFT);
  }

  function baselineOf({ session, no, resumes, resumed_from: before }: Row): Baseline {
    if (!before) return resumes === null ? 'none' : 'unknown';
    const last = text(db.get('select reported from run where no = ?', before)?.reported);
    const reported = last === undefined ? undefined : (JSON.parse(last) as Reported);
    return reported?.cost?.scope === 'session' ? reported : spentBefore(Number(session), Number(no));
  }

  /** Figures that do not reach over runs add up to one that does. */
  function spentBefore(session: number, run: number): Baseline {
    const rows = db.all(
      `select spend.model, sum(spend.usd) as usd, max(spend.usd is null) as unknown, sum(spend.input) as input,
         sum(spend.output) as output, sum(spend.cache_read) as cache_read, sum(spend.cache_write) as cache_write,
         sum(spend.thinking) as thinking
       from spend join run on run.no = spend.run where run.session = ? and run.no < ? group by spend.model`,
      ...[session, run],
    );
    if (rows.length === 0 || rows.some((row) => row.unknown === 1)) return 'unknown';
    const usd = rows.reduce((sum, row) => sum + Number(row.usd), 0);
    const modelUsage = rows.map((row) => ({ model: String(row.model), usd: Number(row.usd), ...usageOf(row) }));
    return { cost: { usd, scope: 'session', origin: 'computed' }, modelUsage };
  }

  function uncover(run: number, { fromSeq = 0, seq }: AgentEvent): void {
    const [from, to] = [run * RUN_SHIFT + fromSeq, run * RUN_SHIFT + seq];
    db.run('delete from search where rowid >= ? and rowid < ?', from, to);
    db.run('delete from event where id >= ? and id < ?', from, to);
  }

  function keep(id: number, event: AgentEvent, body: string, summary: Summary): void {
    const document = documentOf(event);
    const tool = (document && toolOf(event, summary)) ?? null;
    db.run('insert into event (id, body, tool) values (?, ?, ?)', id, body, tool);
    if (!document) return;
    const words = separateIdeographs(document.text);
    db.run(`insert into search (rowid, ${document.field}, tool) values (?, ?, ?)`, id, words, tool);
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
      db.run("update approval set status = 'withdrawn' where run = ? and status in ('pending', 'decided')", run);
    }
  }

  function addSpending(run: number, event: AgentEvent, { spends, shares, call }: Additions): void {
    for (const { seq, model, at, usd, origin, usage } of spends) {
      db.run(
        `insert or replace into spend (run, seq, model, at, usd, origin, input, output, cache_read, cache_write, thinking)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[run, seq, model, at, usd ?? null, origin ?? null],
        ...usageValues(usage),
      );
    }
    const quarter = Math.floor(event.at / QUARTER_MS);
    for (const { name, usd, usage } of shares) {
      db.run(
        `insert into tool_use (run, quarter, name, usd, input, output, cache_read, cache_write, thinking)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?)
         on conflict do update set
           usd = coalesce(usd + excluded.usd, usd, excluded.usd), input = input + excluded.input,
           output = output + excluded.output, cache_read = cache_read + excluded.cache_read,
           cache_write = cache_write + excluded.cache_write, thinking = thinking + excluded.thinking`,
        ...[run, quarter, name, usd ?? null],
        ...usageValues(usage).map((count) => count ?? 0),
      );
    }
    if (!call) return;
    db.run(
      `insert into tool_use (run, quarter, name, calls, failed) values (?, ?, ?, ?, ?)
       on conflict do update set calls = calls + excluded.calls, failed = failed + excluded.failed`,
      ...[run, quarter, call.name, call.calls, call.failed],
    );
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
