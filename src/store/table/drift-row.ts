/** Lines and fields that were not known, as rows. */
import { defined, type EventOf } from '../../event/index.js';
import type { Drift } from '../query.js';
import { type Row, text } from './row.js';

/** These are names; what is longer is none. */
const LONGEST = 120;

/** What is counted. */
export function unknownOf({ wireType, wireSubtype, field = '' }: EventOf<'unknown'>): { kind: string; field: string } {
  const kind = wireSubtype === undefined ? wireType : `${wireType}/${wireSubtype}`;
  return { kind: kind.slice(0, LONGEST), field: field.slice(0, LONGEST) };
}

export function driftOf(row: Row): Drift {
  return defined<Drift>({
    agent: String(row.agent),
    agentVersion: text(row.agent_version),
    kind: String(row.kind),
    field: row.field === '' ? undefined : text(row.field),
    count: Number(row.count),
    runs: Number(row.runs),
    lastAt: Number(row.last_at),
  });
}
