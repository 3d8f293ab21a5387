/**
 * The contract of the store: events kept, found again and shared between processes.
 *
 * - What `append` acknowledged survives the death of the process. What was not acknowledged may be sent again: an event that is
 *   already there is not written twice.
 * - Several processes may use one store at the same time. Each sees what the others write through `tail` and `watch`.
 * - Nothing here blocks the caller's thread, however long it takes.
 * - A promise rejects only with a `GlassboxError`, whose message says what to do. A store that failed once may be asked again.
 */
import type { AgentEvent, Decider, Instruction, Reception } from '../event/index.js';
import type { ApprovalRecord, DecisionQuery, DecisionRecord } from './approval.js';
import type { TellOptions, Told } from './channel.js';
import type { FleetStore } from './fleet/fleet.js';
import type {
  AgentLimit,
  Drift,
  DriftQuery,
  ListQuery,
  Page,
  Pruned,
  PruneQuery,
  SearchPage,
  SearchQuery,
  Total,
  TotalsQuery,
} from './query.js';
import type { RunRecord, RunStart, SessionLabel, SessionRecord, SourceRecord, WholeRun } from './record.js';
import type { Door } from './shell/engine.js';

export interface Store {
  /** Where it keeps its data, for people. */
  readonly location: string;

  /** Through which others may use it, as a hub lets them; absent where it is itself at a hub. */
  readonly door?: Door;

  /** What a fleet shares beside events. Absent where it keeps only events: then there are no tokens, jobs and budgets. */
  readonly fleet?: FleetStore;

  /**
   * Makes the record of a run before its first event and says to which session it belongs. This store owns the run then, unless
   * `owned` is false: it keeps its heartbeat until the run has ended or the store is closed, and nobody else may write to it.
   * A run whose owner is gone is taken over: it gets the next epoch, and what the earlier owner still writes is refused. Rejects
   * with `conflict` while another owner lives. Whether it lives is judged by the clock of the store, never by that of a host.
   */
  startRun(start: RunStart): Promise<RunRecord>;

  /**
   * Keeps events of one run, in the order of their `seq`, and gives the highest `seq` that is safe now. Events up to the highest
   * one that is already kept are skipped. An event with `fromSeq` takes the place of the kept events that it covers, so that
   * deltas can be written early and be replaced by the whole text later. A run that was not started gets a record from its events,
   * and no owner. Rejects with `conflict` when another owns the run, or took it over meanwhile: then nothing was written.
   */
  append(events: readonly AgentEvent[]): Promise<number>;

  /**
   * Marks a run as ended that has no `run-end` event of its own: a stream that was read to its end, an imported transcript.
   * `sourceState` says in which state the source was, so that the importer can tell whether it changed. A piped stream is kept once and
   * must not count twice: a run that has the state of an earlier piped one is removed, and of two of one conversation, of which one is
   * the beginning of the other (`isBeginning`), the shorter one.
   */
  endRun(runId: string, sourceState?: string): Promise<void>;

  /**
   * Keeps runs that ended elsewhere, all or none of them: each takes the place of what was there under its id, in the same session, and one
   * without events is removed. Gives the ids of those that were left alone, because somebody owns them.
   */
  keepRuns(runs: readonly WholeRun[]): Promise<string[]>;

  /** Every run, as an importer has to know it. */
  sources(): Promise<SourceRecord[]>;

  /**
   * The kept events of a run from `fromSeq` on (default: all), in order. A covering event counts as present from its `fromSeq`. One
   * that can no longer be read, because its medium forgot, is a `gap` that says so. Rejects with `not-found` when there is no such
   * run, also when it was there a moment ago: one that was read from disk goes when another of its session tells all of it.
   */
  read(runId: string, fromSeq?: number): AsyncIterable<AgentEvent>;

  /**
   * Like `read`, and then what any process appends, until the run has ended or its owner died. Listening begins with the call,
   * not with the first step of the iteration.
   */
  tail(runId: string, options?: { fromSeq?: number; signal?: AbortSignal }): AsyncIterable<AgentEvent>;

  /**
   * The session that a person means: its short id or the beginning of it, a run id, an agent's session id, or `latest`.
   * Several sessions for one beginning reject with `conflict`.
   */
  session(ref: string): Promise<SessionRecord | undefined>;

  /** Sessions, the last active first. */
  list(query?: ListQuery): Promise<Page<SessionRecord>>;

  /**
   * Sessions as they change, in any process. Listening begins with the call: call it before `list` and
   * nothing is missed. Sessions that are removed are not announced.
   */
  watch(options?: { signal?: AbortSignal }): AsyncIterable<SessionRecord[]>;

  /** Sessions that contain the words, the best match first. Everything that was acknowledged is found. */
  search(query: SearchQuery): Promise<SearchPage>;

  /** What was spent, summed up by one property; the largest first, days in order. */
  totals(query: TotalsQuery): Promise<Total[]>;

  /** The windows of accounts' limits, each as an agent told it last, by agent and name. */
  limits(): Promise<AgentLimit[]>;

  /** What agents printed that glassbox did not know, counted by agent and version; the most frequent first. */
  drift(query?: DriftQuery): Promise<Drift[]>;

  /** Approvals that wait for an answer, the oldest first; of one run or of all. */
  approvals(runId?: string): Promise<ApprovalRecord[]>;

  /** What was decided about approvals, in all runs, the latest first. */
  decisions(query?: DecisionQuery): Promise<DecisionRecord[]>;

  /**
   * Tells the owner of a run something, from whichever process, and waits for what becomes of it: exactly one owner takes it, and
   * `done` means that the agent was told. An owner that does not listen loses patience of the teller after ten seconds: then it
   * is taken back and `gone`. Rejects only when the store fails.
   */
  tell(runId: string, instruction: Instruction, from: Decider, options?: TellOptions): Promise<Reception>;

  /**
   * For the owner of a run: what anybody tells it, each once, to be acknowledged. Listening begins with the call. Rejects with
   * `conflict` when the run is not, or no longer, this store's own.
   */
  instructions(runId: string, options?: { signal?: AbortSignal }): AsyncIterable<Told>;

  /** For the owner of a run: what became of an instruction that it took. */
  acknowledge(runId: string, id: string, reception: Reception): Promise<void>;

  /** What a person says of a session: a name, and that it is kept. Gives its record; rejects with `not-found` when there is none. */
  label(sessionId: string, label: SessionLabel): Promise<SessionRecord>;

  /** Removes a session with all its runs. Rejects with `conflict` while one of them is running, `not-found` when there is none. */
  delete(sessionId: string): Promise<void>;

  /** Removes the oldest sessions that the limits do not allow; a running or pinned one never. */
  prune(query: PruneQuery): Promise<Pruned>;

  /** Writes what is under way and lets go. Iterations end. Further calls reject. */
  close(): Promise<void>;
}

/** What the owner of a run needs of a store, wherever that is. */
export type RunKeeper = Pick<Store, 'startRun' | 'append' | 'endRun' | 'instructions' | 'acknowledge'>;

/** What can be asked of a store without waiting for anybody. */
export type StoreReader = Pick<
  Store,
  | 'location'
  | 'session'
  | 'list'
  | 'search'
  | 'totals'
  | 'limits'
  | 'drift'
  | 'approvals'
  | 'decisions'
  | 'read'
  | 'close'
>;
