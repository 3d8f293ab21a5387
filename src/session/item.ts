/**
 * What a conversation is made of. Records are joined by their numbers in the tables of `SessionState`, never nested, so
 * that a growing text or a finished tool changes one record and no other.
 *
 * Times are `at` values of events (ms since the epoch). What nobody told is absent; every record has all its fields, `undefined`
 * or not, because engines copy records of one shape faster.
 */
import type {
  Attachment,
  Cut,
  EventOf,
  FileChangeKind,
  Loose,
  Targets,
  ToolKind,
  ToolStatus,
  Usage,
} from '../event/index.js';
import type { Figure } from '../ledger/index.js';
import type { Chunks } from './table/chunks.js';

/** One entry of a thread, in the order in which things began. */
export type Item =
  /** A record of another table. For `turn` and `run` it stands where the turn or run ended. */
  | { readonly kind: ReferenceKind; readonly number: number }
  /** Something that needs no record: shown as it came. */
  | { readonly kind: 'event'; readonly event: ShownEvent };

export type ReferenceKind = 'message' | 'tool' | 'task' | 'approval' | 'hook' | 'turn' | 'run';

export type ShownEvent = EventOf<
  | 'retry'
  | 'rate-limit'
  | 'compaction-end'
  | 'status'
  | 'plan-mode'
  | 'permission-deny'
  | 'session-change'
  | 'agent-error'
  | 'decode-error'
  | 'warning'
  | 'gap'
>;

/** Where a record belongs. */
export interface Belonging {
  /** Number of its run in `runs`. */
  readonly run: number;
  /** Number of its thread in `threads`: 0 is the main conversation, others are sub-agents. */
  readonly thread: number;
  /** The agent's turn as events name it, from 1; 0 before the first. Not a number of `turns`. */
  readonly turn: number;
}

/** Everything that was said under one message id, however many lines it came in. */
export interface Message extends Belonging {
  readonly id: string;
  readonly role: 'assistant' | 'user';
  readonly model?: string | undefined;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  /** Its texts in order; the positions have holes. Read it with `messageParts`. */
  readonly blocks: Chunks<Block>;
  /** Its tool calls, and after which block each stands. Read it with `messageParts`. */
  readonly calls: Chunks<Call>;
  /** Position of the last block that is complete, -1 before the first. A new call stands after it, with or without deltas. */
  readonly settled: number;
  /** Counted once, when the message ended. */
  readonly usage?: Usage | undefined;
  readonly stopReason?: string | undefined;
  /** It no longer holds: views leave its texts out. Its tool calls stay, because they may have run. */
  readonly retracted?: EventOf<'message-retract'>['why'] | undefined;
  /** User messages: put in by the agent itself, not typed by anybody. */
  readonly synthetic?: boolean | undefined;
  readonly replay?: boolean | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
}

export interface Block {
  readonly kind: 'text' | 'thinking';
  /**
   * All that was said so far. Engines keep a concatenation as its fragments until somebody reads it, so that a delta
   * costs the same however long the text is: read it once per frame, not once per delta.
   */
  readonly text: string;
  /** False while it grows. */
  readonly complete: boolean;
  /** It was cut off. */
  readonly partial?: boolean | undefined;
  /** What the guard shortened, with the size it had. */
  readonly cuts?: readonly Cut[] | undefined;
  /** The agent keeps this thinking to itself. */
  readonly redacted?: boolean | undefined;
  readonly retracted?: EventOf<'message-retract'>['why'] | undefined;
  /** When its thinking began, where the agent tells. */
  readonly startedAt?: number | undefined;
  readonly durationMs?: number | undefined;
}

/** Where a block stands in `blocks`: thinking and text have places of their own, should an agent count them apart. */
export function positionOf(kind: Block['kind'], index: number): number {
  return (Number.isInteger(index) && index >= 0 ? index : 0) * 2 + (kind === 'text' ? 1 : 0);
}

export interface Call {
  /** Number of the tool in `tools`. */
  readonly tool: number;
  /** Position in `blocks` of the block that it follows, -1 when it comes first. */
  readonly after: number;
}

/**
 * `preparing`: its arguments are still being written; `waiting`: for somebody's approval; `running`; then how it ended,
 * which is said once; only that a failed call was refused may be told later.
 */
export type ToolPhase = 'preparing' | 'waiting' | 'running' | ToolStatus;

/** One tool call from its announcement to its result, with what it touches: nobody here understands its `input`. */
export interface Tool extends Belonging, Readonly<Loose<Targets>> {
  readonly id: string;
  /** Empty when only its result or its sub-agent was seen. */
  readonly name: string;
  readonly kind: ToolKind;
  readonly mcp?: { readonly server: string; readonly tool: string } | undefined;
  readonly title?: string | undefined;
  readonly remote?: boolean | undefined;
  readonly status: ToolPhase;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  /** As the agent tells it, else from its start to its end. */
  readonly durationMs?: number | undefined;
  /** The arguments' JSON text while it is being written. */
  readonly inputText?: string | undefined;
  readonly input?: unknown;
  /** One line about the input, for people. */
  readonly summary?: string | undefined;
  /**
   * The result; while it runs, what it printed so far. Kept when the end brings no output of its own, as when it was cut
   * off: the one thing in a state that only deltas can tell.
   */
  readonly output?: string | undefined;
  /** The beginning of a long running output was let go; the end usually brings the whole. */
  readonly outputCut?: boolean | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
  readonly exitCode?: number | undefined;
  /** What the guard shortened in the input (`/input…`) and the result (`/output`), with the size it had. */
  readonly cuts?: readonly Cut[] | undefined;
  /** Only while it runs. */
  readonly progress?: { readonly elapsedMs?: number | undefined; readonly text?: string | undefined } | undefined;
  /** Why it was not allowed. */
  readonly denial?: string | undefined;
  /** Number of the newest approval asked for it. */
  readonly approval?: number | undefined;
  /** Number of the task that it became or started. */
  readonly task?: number | undefined;
  /** Number of the thread in which its sub-agent speaks. */
  readonly child?: number | undefined;
  /** Numbers in `changes`. */
  readonly changes?: Chunks<number> | undefined;
}

/** Background work or a sub-agent, with a life of its own beside turns. */
export interface Task extends Belonging {
  readonly id: string;
  readonly kind: EventOf<'task-start'>['kind'];
  readonly status: 'running' | EventOf<'task-end'>['status'];
  readonly description?: string | undefined;
  readonly background?: boolean | undefined;
  readonly agentType?: string | undefined;
  /** Number of the tool call that started it. */
  readonly tool?: number | undefined;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly summary?: string | undefined;
  readonly error?: string | undefined;
  readonly tokens?: number | undefined;
  readonly toolUses?: number | undefined;
  /** The newest report, only while it runs. */
  readonly progress?: EventOf<'task-progress'> | undefined;
}

/** One question to a person. The pending ones form a queue whose head is shown. */
export interface Approval extends Belonging {
  readonly id: string;
  /** `settled`: the stream does not tell how. */
  readonly status: 'pending' | 'allowed' | 'denied' | 'answered' | 'settled' | 'withdrawn';
  readonly request: EventOf<'approval-request'>;
  /** Number of the tool call in question, when it is known. */
  readonly tool?: number | undefined;
  readonly resolution?: EventOf<'approval-resolve'> | undefined;
  readonly withdrawn?: EventOf<'approval-withdraw'>['why'] | undefined;
  readonly settledAt?: number | undefined;
}

/** From a message to its result. Turns may overlap, and a result may come after the next turn has begun. */
export interface Turn extends Belonging {
  readonly start?: EventOf<'turn-start'> | undefined;
  readonly end?: EventOf<'turn-end'> | undefined;
  /** As the agent tells it, else from start to end. */
  readonly durationMs?: number | undefined;
  /** What this turn alone cost; absent when unknown. */
  readonly cost?: Figure | undefined;
  /** The turn, as events name it, in whose cost this one's is contained, where the agent cannot tell them apart. */
  readonly costWithin?: number | undefined;
  /** Its tokens, with cache and sub-agents, once it ended. */
  readonly usage?: Usage | undefined;
}

export interface Hook extends Belonging {
  readonly start?: EventOf<'hook-start'> | undefined;
  readonly end?: EventOf<'hook-end'> | undefined;
}

export interface FileChange {
  readonly run: number;
  readonly at: number;
  readonly path: string;
  readonly kind: FileChangeKind;
  readonly to?: string | undefined;
  readonly diff?: string | undefined;
  /** Number of the tool call that did it. */
  readonly tool?: number | undefined;
}
