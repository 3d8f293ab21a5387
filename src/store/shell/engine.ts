/**
 * What every engine of a store can do, and the door through which it is asked: a thread with a file, a database, a hub far away.
 * Claims stand in the calls and not behind the door, so that whoever writes can be asked through another one the next time.
 */
import type { Reception } from '../../event/index.js';
import type { ApprovalRecord, DecisionQuery, DecisionRecord } from '../approval.js';
import type { Told } from '../channel.js';
import type {
  AgentLimit,
  Drift,
  DriftQuery,
  ListQuery,
  Page,
  PruneQuery,
  SearchPage,
  SearchQuery,
  Total,
  TotalsQuery,
} from '../query.js';
import type { RunRecord, RunStart, SessionLabel, SessionRecord, SourceRecord, WholeRun } from '../record.js';

/** Who claims runs through a door that others use too. */
export interface Holder {
  /** Drawn by whoever opens a store, so that two of one process are two. */
  id: string;
  host: string;
  pid: number;
}

/** Events of one run, in order. */
export interface Batch {
  runId: string;
  /** Events as JSON. */
  bodies: string[];
  /** Of the claim under which they are written. */
  epoch: number | undefined;
  by?: Holder | undefined;
  /** They are the whole run, and nothing of them is kept but what they come to. */
  onlyFigures?: boolean | undefined;
}

/** An instruction on its way. */
export interface Post extends Told {
  runId: string;
}

/** `bodies`: its events as JSON. */
export type WrittenRun = Omit<WholeRun, 'events'> & { bodies: string[] };

/** A part of a run's events. `ended`: nothing will follow. */
export interface EventPage {
  bodies: string[];
  lastSeq: number;
  ended: boolean;
}

/** `epoch`: of the claim, when the run is this holder's own now. */
export interface StartedRun {
  record: RunRecord;
  epoch?: number;
}

export interface PrunePlan {
  /** Sessions that have to go, the oldest first. */
  plan: { no: number; id: string }[];
  /** What is left then, about. */
  bytes: number;
}

/** A run that somebody changed. */
export interface Change {
  runId: string;
  /** Its session's number. */
  session: number;
}

/** A claim that is to be kept alive. */
export interface HeldRun {
  runId: string;
  epoch: number;
}

/** `by` is absent where the process that asks is the one that has the engine. */
export interface Engine {
  /** Starting one that is there changes nothing but its owner, unless it is to be replaced. `held`: the epoch of an earlier claim. */
  startRun(start: RunStart, held?: number, by?: Holder): StartedRun;
  keepRuns(runs: readonly WrittenRun[]): string[];
  sources(): SourceRecord[];
  endRun(runId: string, sourceState?: string, epoch?: number, by?: Holder): void;
  page(runId: string, fromSeq: number): EventPage;
  session(ref: string): SessionRecord | undefined;
  /** Sessions by their numbers. */
  sessions(numbers: readonly number[]): SessionRecord[];
  list(query: ListQuery): Page<SessionRecord>;
  search(query: SearchQuery): SearchPage;
  totals(query: TotalsQuery): Total[];
  limits(): AgentLimit[];
  drift(query: DriftQuery): Drift[];
  approvals(runId?: string): ApprovalRecord[];
  decisions(query: DecisionQuery): DecisionRecord[];
  /** Undefined when it is on its way. The same one posted again is on its way once. */
  post(told: Post): Reception | undefined;
  /** For the teller; undefined while the owner has not said. */
  receptionOf(id: string): Reception | undefined;
  /** False when the owner has it already. */
  withdraw(id: string): boolean;
  /** For the owner. Through a door that others use too, what was taken comes again until it is acknowledged: a reply may be lost. */
  take(runId: string, epoch?: number, by?: Holder): Told[];
  acknowledge(runId: string, id: string, reception: Reception, epoch?: number, by?: Holder): void;
  label(sessionId: string, label: SessionLabel): SessionRecord;
  delete(sessionId: string): void;
  /** Pruning comes in steps, so that nobody else has to wait for all of it. */
  planPrune(query: PruneQuery): PrunePlan;
  removeOld(session: number): boolean;
  /** Gives space back, some at a time. True when there is more. */
  compact(): boolean;
  size(): number;
  /** These live. Gives the runs of which the claim no longer holds. */
  beatFor(held: readonly HeldRun[]): string[];
}

export type Method = keyof Engine;

/** Asks what can be asked of an engine. */
export interface Caller<Calls extends Engine = Engine> {
  call<Name extends keyof Calls & string>(
    method: Name,
    ...args: ArgumentsOf<Calls[Name]>
  ): Promise<DoneOf<Calls[Name]>>;
  close(): Promise<void>;
}

type ArgumentsOf<Call> = Call extends (...args: infer Args) => unknown ? Args : never;
type DoneOf<Call> = Call extends (...args: never[]) => infer Done ? Done : never;

export interface Door<Calls extends Engine = Engine> extends Caller<Calls> {
  append(batch: Batch): Promise<number>;
  /** Calls back on changes by any process until the returned function is called; without changes when some may have been missed. */
  listen(notice: (changes: readonly Change[]) => void): () => void;
}
