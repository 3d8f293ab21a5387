/** A session as the contract shows it, from its runs: whatever keeps them, it is the same. */
import { defined, type Usage } from '../event/index.js';
import { addUsage, sumFigures } from '../ledger/index.js';
import { oneLine } from '../word/index.js';
import type { RunRecord, RunState, SessionRecord } from './record.js';

export const TITLE_LENGTH = 120;

/** A run with what only its session tells of it. */
export interface RunOfSession {
  record: RunRecord;
  /** What the agent calls its conversation. */
  title?: string | undefined;
  /** What it said first, or did: `openingOf` its summary. */
  opening?: string | undefined;
  /** Approvals that wait for an answer. */
  waiting: number;
  /** Something was spent: `record.spent`, or nobody knows how much. */
  hasSpent: boolean;
}

/** What is known of a session beside its runs. */
export interface BesideRuns {
  /** The session that it was copied from. */
  forkedFrom: string | undefined;
  /** As a person labelled it. */
  name: string | undefined;
  pinned: boolean | undefined;
  /** When it was last active as it was put away. */
  archivedAt: number | undefined;
}

/** The record of a session with these runs, the oldest first; none without runs. */
export function sessionRecord(
  runs: readonly RunOfSession[],
  { forkedFrom, name, pinned, archivedAt }: BesideRuns,
): SessionRecord | undefined {
  const records = runs.map(({ record }) => record);
  const [first] = records;
  const last = records.at(-1);
  if (!first || !last) return undefined;
  const live = liveState(records);
  const updatedAt = Math.max(...records.map((record) => record.updatedAt));
  const title =
    name ||
    runs.findLast((run) => run.title)?.title ||
    records.find(({ prompt }) => prompt)?.prompt ||
    runs.find(({ opening }) => opening)?.opening;
  return defined<SessionRecord>({
    id: first.session,
    title: oneLine(title ?? '', TITLE_LENGTH),
    name: name || undefined,
    pinned: pinned || undefined,
    archived: archivedAt !== undefined && archivedAt >= updatedAt ? true : undefined,
    agent: last.agent,
    agentSessionId: last.agentSessionId,
    model: last.model,
    cwd: last.cwd ?? first.cwd,
    ...(live ? { state: live } : { state: last.state, outcome: last.outcome, error: last.error }),
    startedAt: first.startedAt,
    updatedAt,
    spent: sumFigures(runs.filter(({ hasSpent }) => hasSpent).map(({ record }) => record.spent)),
    usage: records.reduce<Usage>((sum, { usage }) => addUsage(sum, usage) ?? sum, {}),
    turns: records.reduce((sum, { turns }) => sum + turns, 0),
    toolCalls: records.reduce((sum, { toolCalls }) => sum + toolCalls, 0),
    waiting: runs.reduce((sum, { waiting }) => sum + waiting, 0),
    forkedFrom,
    runs: records,
  });
}

/** Of a session that is carried on in two places at once nothing that lives may be hidden by what began later and has ended. */
function liveState(records: readonly RunRecord[]): RunState | undefined {
  const live = records.filter(({ state }) => state !== 'ended');
  return live.find(({ state }) => state === 'waiting')?.state ?? live[0]?.state;
}
