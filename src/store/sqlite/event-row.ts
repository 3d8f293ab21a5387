/**
 * Events as rows, each with a checksum of its text. A disk forgets a bit now and then, and SQLite does not look at what is inside a
 * text: a row that is no longer what was written is noticed when it is read, told as a `gap`, and harms no other.
 */
import { crc32 } from 'node:zlib';
import type { AgentEvent } from '../../event/index.js';
import { parsed, type Row } from '../table/row.js';
import { RUN_SHIFT } from './schema.js';

export function checksum(body: string): number {
  return crc32(body);
}

/** Undefined when the row is damaged. Rows that an older glassbox wrote have no checksum: those must at least be JSON. */
export function eventOf({ body, sum }: Row): AgentEvent | undefined {
  const text = String(body);
  if (sum !== null && sum !== checksum(text)) return undefined;
  return parsed<AgentEvent>(text);
}

/** The texts of events in order, with a gap for each that is damaged. `fromSeq`: where the first of them was to begin. */
export function soundBodies(rows: readonly Row[], run: Row, fromSeq: number): string[] {
  let next = fromSeq;
  let last: string | undefined;
  return rows.map((row) => {
    const seq = Number(row.id) % RUN_SHIFT;
    const body = String(row.body);
    const isSound = row.sum === null ? parsed(body) !== undefined : row.sum === checksum(body);
    const sound = isSound ? body : JSON.stringify(gapFor(seq, next, run, last));
    next = seq + 1;
    last = sound;
    return sound;
  });
}

function gapFor(seq: number, from: number, run: Row, before: string | undefined): AgentEvent {
  const { at, turn } = (before === undefined ? undefined : parsed<AgentEvent>(before)) ?? {
    at: Number(run.started_at),
    turn: 0,
  };
  const stamp = { schema: 1, seq, fromSeq: from, at, runId: String(run.id), agent: String(run.agent), turn } as const;
  return { type: 'gap', from, to: seq, why: DAMAGED, ...stamp, source: 'synthetic' };
}

const DAMAGED = 'damaged in the store: what is on the disk is not what was written';
