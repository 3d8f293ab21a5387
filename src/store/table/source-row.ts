/** What of the source of an imported run was read, as a column of its row. */
import { defined } from '../../event/index.js';
import type { SourceRecord } from '../record.js';
import { type Row, text } from './row.js';

/** Before the state of a source of which only the figures were read. */
const FIGURES = 'figures ';

export function writtenState(sourceState: string, onlyFigures: true | undefined): string {
  return onlyFigures ? FIGURES + sourceState : sourceState;
}

/** From a row of `id`, `agent`, `source_state` and the agent's `session`. */
export function sourceRecord(row: Row): SourceRecord {
  return defined({
    runId: String(row.id),
    agent: String(row.agent),
    agentSessionId: text(row.session),
    ...sourceOf(row),
  });
}

/** What of its source was read. */
export function sourceOf(row: Row): Pick<SourceRecord, 'sourceState' | 'onlyFigures'> {
  const state = text(row.source_state);
  if (state === undefined) return {};
  return state.startsWith(FIGURES)
    ? { sourceState: state.slice(FIGURES.length), onlyFigures: true }
    : { sourceState: state };
}
