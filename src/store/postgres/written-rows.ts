/** The rows of one transaction, collected so that few statements write them: a statement costs more than a row. */
import type { AgentEvent } from '../../event/index.js';
import type { Document } from '../document.js';
import { openingOf, type Summary } from '../summary.js';
import { FIGURE_COLUMNS, figureValues, limitValue } from '../table/figure-row.js';
import type { Value } from '../table/row.js';
import type { Asker } from './connection.js';
import { fieldNumber, vectorOf } from './words.js';

export interface WrittenRows {
  event(run: number, event: AgentEvent, body: string, document: Document | undefined, tool: string | undefined): void;
  /** What an event with `fromSeq` takes the place of; `kept`: the last one that is in the tables. */
  uncover(run: number, event: AgentEvent, kept: number): void;
  /** As it is when the rows are saved. */
  summary(run: number, summary: Summary): void;
  save(tx: Asker): Promise<void>;
}

interface EventRow {
  run: number;
  seq: number;
  body: string;
  document: Document | undefined;
  tool: string | undefined;
}

export function createWrittenRows(): WrittenRows {
  let events: EventRow[] = [];
  const uncovered: { run: number; from: number; to: number }[] = [];
  const summaries = new Map<number, Summary>();

  return {
    event(run, { seq }, body, document, tool) {
      events.push({ run, seq, body, document, tool });
    },
    uncover(run, { fromSeq = 0, seq }, kept) {
      events = events.filter((row) => row.run !== run || row.seq < fromSeq || row.seq >= seq);
      if (fromSeq <= kept) uncovered.push({ run, from: fromSeq, to: seq });
    },
    summary(run, summary) {
      summaries.set(run, summary);
    },
    async save(tx) {
      if (uncovered.length > 0) {
        const ranges = (['run', 'from', 'to'] as const).map((key) => uncovered.map((range) => range[key]));
        for (const table of ['doc', 'event']) await tx.run(deleteFrom(table), ...ranges);
      }
      const found = events.filter(({ document }) => document);
      if (events.length > 0) {
        await tx.run(
          found.length > 0 ? `with kept as (${INSERT_EVENTS}) ${INSERT_DOCS}` : INSERT_EVENTS,
          ...[events.map(({ run }) => run), events.map(({ seq }) => seq), events.map(({ body }) => body)],
          ...(found.length > 0 ? docColumns(found) : []),
        );
      }
      if (summaries.size > 0) {
        const rows = [...summaries].map(([run, summary]) => [run, ...summaryValues(summary)]);
        await tx.run(
          UPDATE_RUNS,
          ...['no', ...Object.keys(COLUMNS)].map((_, at) => rows.map((row) => row[at] ?? null)),
        );
      }
    },
  };
}

const INSERT_EVENTS =
  'insert into event (run, seq, body) select * from unnest($1::bigint[], $2::integer[], $3::text[])';
const INSERT_DOCS = `insert into doc (run, seq, field, tool, words)
  select run, seq, field, tool, words::tsvector
  from unnest($4::bigint[], $5::integer[], $6::smallint[], $7::text[], $8::text[]) as d (run, seq, field, tool, words)`;

function docColumns(found: readonly EventRow[]): Value[][] {
  return [
    found.map(({ run }) => run),
    found.map(({ seq }) => seq),
    found.map(({ document }) => (document ? fieldNumber(document.field) : 0)),
    found.map(({ tool }) => tool ?? null),
    found.map(({ document }) => vectorOf(document?.text ?? '')),
  ];
}

function deleteFrom(table: string): string {
  return `delete from ${table} using unnest($1::bigint[], $2::integer[], $3::integer[]) as d (run, first, last)
    where ${table}.run = d.run and ${table}.seq >= d.first and ${table}.seq < d.last`;
}

/** The columns of a run that are made from its events, with their types; what `keep` names stays when nothing new is known. */
const COLUMNS: Readonly<Record<string, { type: string; keep?: 'old' | 'new' }>> = {
  agent_session: { type: 'text', keep: 'new' },
  agent_version: { type: 'text' },
  model: { type: 'text', keep: 'new' },
  cwd: { type: 'text', keep: 'old' },
  title: { type: 'text' },
  prompt: { type: 'text' },
  opening: { type: 'text' },
  updated_at: { type: 'bigint' },
  last_seq: { type: 'integer' },
  bytes: { type: 'bigint' },
  ended_at: { type: 'bigint' },
  outcome: { type: 'text' },
  error: { type: 'text' },
  turns: { type: 'integer' },
  tool_calls: { type: 'integer' },
  limits: { type: 'text' },
  stuck: { type: 'text' },
  ...Object.fromEntries(
    FIGURE_COLUMNS.map((column) => [
      column,
      { type: ['origin', 'balance', 'lacks'].includes(column) ? 'text' : 'double precision' },
    ]),
  ),
};

function summaryValues(summary: Summary): Value[] {
  return [
    ...[summary.agentSessionId ?? null, summary.agentVersion ?? null, summary.model ?? null],
    ...[summary.cwd ?? null, summary.title ?? null, summary.prompt ?? null],
    ...[openingOf(summary) ?? null, summary.updatedAt, summary.lastSeq, summary.bytes],
    ...[summary.endedAt ?? null, summary.outcome ?? null, summary.error ?? null],
    ...[summary.turns, summary.toolCalls, limitValue(summary)],
    summary.stuck ? JSON.stringify(summary.stuck) : null,
    ...figureValues(summary.ledger),
  ];
}

const UPDATE_RUNS = `update run set ${Object.entries(COLUMNS)
  .map(([column, { keep }]) => {
    if (keep === undefined) return `${column} = new.${column}`;
    const [first, second] = keep === 'old' ? ['run', 'new'] : ['new', 'run'];
    return `${column} = coalesce(${first}.${column}, ${second}.${column})`;
  })
  .join(', ')}
  from unnest(${['bigint', ...Object.values(COLUMNS).map(({ type }) => type)]
    .map((type, at) => `$${at + 1}::${type}[]`)
    .join(', ')}) as new (no, ${Object.keys(COLUMNS).join(', ')}) where run.no = new.no`;
