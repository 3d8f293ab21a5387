/**
 * The state of one session: everything that a page, a text view or a terminal UI asks about it.
 *
 * It is a contract. Every value is immutable, plain JSON (print it, parse it, go on reducing) and the result of the
 * events alone: no clock, no ids of its own. Records that an event does not concern keep their identity (`===`). Apart from
 * texts that are still growing, and the output of a tool that was cut off, it does not depend on deltas: without them the
 * same lifecycle events give the same state.
 * Read it through the selectors of this folder; `values`, `entryAt` and `rowAt` read the tables themselves.
 */
import type { EventOf, LimitWindow, SessionFacts, Todo } from '../event/index.js';
import { type Ledger, openLedger } from '../ledger/index.js';
import type { Approval, FileChange, Hook, Item, Message, Task, Tool, Turn } from './item.js';
import { append, type Chunks, emptyChunks } from './table/chunks.js';
import { emptyTable, type Table } from './table/table.js';

export interface SessionState {
  /** The processes of this session, in the order of their first events. Open: those without `run-end`. */
  readonly runs: Table<Run>;
  /** Conversations: 0 is the main one, the others belong to sub-agents. Every run of the session speaks in the same main one. */
  readonly threads: Chunks<Thread>;
  readonly turns: Table<Turn>;
  readonly messages: Table<Message>;
  readonly tools: Table<Tool>;
  readonly tasks: Table<Task>;
  /** All that were ever asked; the open ones are the queue. */
  readonly approvals: Table<Approval>;
  readonly hooks: Table<Hook>;
  /** Every change of a file, in order. */
  readonly changes: Chunks<FileChange>;
}

export interface Thread {
  /** Number of the tool call whose sub-agent speaks here; absent for the main conversation. */
  readonly tool?: number | undefined;
  readonly items: Chunks<Item>;
  /** The newest list. */
  readonly todos: readonly Todo[];
}

export interface Run {
  readonly runId: string;
  readonly agent: string;
  /** The agent's own session id, the newest one; to resume with. */
  readonly sessionId?: string | undefined;
  /** The session id it had before, when the agent changed it or resumed another one. */
  readonly previousSessionId?: string | undefined;
  /** When its first and its newest event were received. */
  readonly startedAt: number;
  readonly at: number;
  /** The newest `seq`; what comes again up to it is ignored. */
  readonly seq: number;
  /** What the agent told about itself, newest values. */
  readonly facts: SessionFacts;
  /** The first permission mode that it told, in its own word; `facts` has the newest. */
  readonly firstMode?: string | undefined;
  /** What it spent. */
  readonly ledger: Ledger;
  readonly context?: { readonly tokens?: number | undefined; readonly limit?: number | undefined } | undefined;
  /** Tokens of the thinking under way, as far as the agent tells. */
  readonly thinkingTokens?: number | undefined;
  /** How far the account is used up: each window as it was told last. */
  readonly limits: readonly LimitWindow[];
  /** The newest word about all of them. */
  readonly limit?: EventOf<'rate-limit'> | undefined;
  /** The failed call that is being tried again; absent once the agent went on. */
  readonly retry?: EventOf<'retry'> | undefined;
  /** The compaction under way. */
  readonly compaction?: EventOf<'compaction-start'> | undefined;
  readonly status?: EventOf<'status'> | undefined;
  readonly planning: boolean;
  /** Turns under way in which the main conversation has said something. */
  readonly spoken: readonly number[];
  /** The text or thinking that grew last, while it grows: number of its message and position of its block. */
  readonly speaking?: { readonly message: number; readonly block: number } | undefined;
  /** The watchdog's note that nothing moves; absent once something does. */
  readonly stall?: EventOf<'warning'> | undefined;
  /** The newest failure of the agent or its model. */
  readonly error?: EventOf<'agent-error'> | undefined;
  readonly counters: Counters;
  readonly end?: EventOf<'run-end'> | undefined;
}

export interface UnknownKind {
  readonly wireType: string;
  readonly wireSubtype?: string | undefined;
  /** Only this field of it is not known. */
  readonly field?: string | undefined;
  readonly count: number;
}

/** What could not be shown, counted. */
export interface Counters {
  readonly decodeErrors: number;
  /** Lines, blocks and deltas that this version does not know, by kind; beyond 64 kinds under `other`. */
  readonly unknown: readonly UnknownKind[];
  readonly warnings: number;
  /** Events that will not come, as `gap` events declared. */
  readonly lost: number;
  /** Events with fields of the wrong kind, as from a damaged file. They changed nothing. */
  readonly malformed: number;
}

/** Number of the main conversation; other threads are sub-agents. */
export const MAIN_THREAD = 0;

/** Before the first event. */
export const initialState: SessionState = {
  runs: emptyTable(),
  threads: append(emptyChunks<Thread>(), { items: emptyChunks(), todos: [] }),
  turns: emptyTable(),
  messages: emptyTable(),
  tools: emptyTable(),
  tasks: emptyTable(),
  approvals: emptyTable(),
  hooks: emptyTable(),
  changes: emptyChunks(),
};

/** A run before its first event. */
export function newRun(runId: string): Run {
  return {
    runId,
    agent: '',
    startedAt: 0,
    at: 0,
    seq: 0,
    facts: {},
    ledger: openLedger(),
    limits: [],
    planning: false,
    spoken: [],
    counters: { decodeErrors: 0, unknown: [], warnings: 0, lost: 0, malformed: 0 },
  };
}
