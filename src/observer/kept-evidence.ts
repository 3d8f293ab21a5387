/** What the store knows of a session that counts as evidence: the runs that glassbox had in its hands, and questions that nobody answered. */
import { runIdOf } from '../archive/index.js';
import { lineFor } from '../consent/index.js';
import type { AgentEvent } from '../event/index.js';
import { type Evidence, evidenceOfEvents } from '../presence/index.js';
import type { RunRecord, SessionRecord, StoreReader } from '../store/index.js';

/** Sessions of the store that a limit of the account stopped, as whoever keeps them in mind tells. */
export interface ParkedSource {
  /** By our short ids. */
  sessions(): Promise<readonly string[]>;
  /** Of the run that was stopped. */
  evidenceOf(runId: string): Promise<Evidence | undefined>;
}

export type EvidenceStore = Pick<StoreReader, 'read' | 'approvals'>;

/** How many of its last events are enough to see whether a turn is open; of longer turns the beginning is further back. */
const TAIL = 400;

/** Asked again and again, it reads each event once. */
export function createKeptEvidence(
  store: EvidenceStore,
  parked?: ParkedSource,
): (session: SessionRecord) => Promise<Evidence[]> {
  const read = new Map<string, { seq: number; told: Evidence | undefined }>();

  /** A conversation that was read from disk says nothing here. */
  return async (session) => {
    const own = session.runs.filter((one) => !isTranscript(one));
    const run = own.findLast(({ state }) => state !== 'ended') ?? own.at(-1);
    if (!run)
      return asked(
        session.runs.findLast(({ state }) => state === 'waiting'),
        'hook',
      );
    const { runId, state, outcome, updatedAt, endedAt } = run;
    const told = { source: 'run' } as const;
    if (state === 'ended') {
      read.delete(runId);
      const text = `its run ended: ${outcome ?? 'nobody said how'}`;
      const ended: Evidence = { ...told, says: 'ended', at: endedAt ?? updatedAt, text };
      const stopped = await parked?.evidenceOf(runId);
      return stopped ? [stopped, ended] : [ended];
    }
    const question = state === 'waiting' ? await asked(run, 'run') : [];
    if (question.length > 0) return question;
    return [(await lastTold(run)) ?? { ...told, says: 'working', at: run.startedAt, text: 'its run goes on' }];
  };

  async function lastTold({ runId, lastSeq }: RunRecord): Promise<Evidence | undefined> {
    const before = read.get(runId) ?? { seq: Math.max(0, lastSeq - TAIL), told: undefined };
    const events: AgentEvent[] = [];
    if (lastSeq > before.seq) for await (const event of store.read(runId, before.seq + 1)) events.push(event);
    const now = { seq: events.at(-1)?.seq ?? before.seq, told: evidenceOfEvents(events) ?? before.told };
    read.set(runId, now);
    return now.told;
  }

  /** What a run asks: of one that was read from disk, a hook told it. */
  async function asked(run: RunRecord | undefined, source: 'run' | 'hook'): Promise<Evidence[]> {
    const [first] = run ? await store.approvals(run.runId) : [];
    if (!first) return [];
    const awaited = { kind: 'approval', text: lineFor(first.request) } as const;
    return [{ source, says: 'waiting', for: awaited, at: first.request.at, text: 'it asks, and nobody has answered' }];
  }
}

function isTranscript({ agent, agentSessionId, runId }: RunRecord): boolean {
  return agentSessionId !== undefined && runId === runIdOf({ agent: { name: agent }, sessionId: agentSessionId });
}
