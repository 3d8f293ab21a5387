/**
 * What a conversation is made of. Records are joined by their numbers in the tables of `SessionState`, never nested, so
 * that a growing text or a finished tool changes one record and no other.
 *
 * Times are `at` values of events (ms since the epoch). A field is absent while nobody told it.
 */
import type { Attachment, Cut, EventOf, FileChangeKind, ToolKind, ToolStatus, Usage } from '../event/index.js';
import type { Chunks } from './chunks.js';
import type { Figure } from './ledger.js';

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
  readonly model?: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Its texts in order; the positions have holes. Read it with `messageParts`. */
  readonly blocks: Chunks<Block>;
  /** Its tool calls, and after which block each stands. Read it with `messageParts`. */
  readonly calls: Chunks<Call>;
  /** Position of the last block that is complete, -1 before the first. A new call stands after it, with or without deltas. */
  readonly settled: number;
  /** Counted once, when the message ended. */
  readonly usage?: Usage;
  readonly stopReason?: string;
  /** It no longer holds: views leave its texts out. Its tool calls stay, because they may have run. */
  readonly retracted?: EventOf<'message-retract'>['why'];
  /** User messages: put in by the agent itself, not typed by anybody. */
  readonly synthetic?: boolean;
  readonly replay?: boolean;
  readonly attachments?: readonly Attachment[];
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
  readonly partial?: boolean;
  /** What the guard shortened, with the size it had. */
  readonly cuts?: readonly Cut[];
  /** The agent keeps this thinking to itself. */
  readonly redacted?: boolean;
  readonly retracted?: EventOf<'message-retract'>['why'];
  /** When its thinking began, where the agent tells. */
  readonly startedAt?: number;
  readonly durationMs?: number;
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
 * which is said once and never changes.
 */
export type ToolPhase = 'preparing' | 'waiting' | 'running' | ToolStatus;

/** One tool call from its announcement to its result. */
export interface Tool extends Belonging {
  readonly id: string;
  /** Empty when only its result or its sub-agent was seen. */
  readonly name: string;
  readonly kind: ToolKind;
  readonly mcp?: { readonly server: string; readonly tool: string };
  readonly title?: string;
  readonly remote?: boolean;
  readonly status: ToolPhase;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** As the agent tells it, else from its start to its end. */
  readonly durationMs?: number;
  /** The arguments' JSON text while it is being written. */
  readonly inputText?: string;
  readonly input?: unknown;
  /** One line about the input, for people. */
  readonly summary?: string;
  /**
   * The result; while it runs, what it printed so far. Kept when the end brings no output of its own, as when it was cut
   * off: the one thing in a state that only deltas can tell.
   */
  readonly output?: string;
  /** The beginning of a long running output was let go; the end usually brings the whole. */
  readonly outputCut?: boolean;
  readonly attachments?: readonly Attachment[];
  readonly exitCode?: number;
  /** What the guard shortened in the input (`/input…`) and the result (`/output`), with the size it had. */
  readonly cuts?: readonly Cut[];
  /** Only while it runs. */
  readonly progress?: { readonly elapsedMs?: number; readonly text?: string };
  /** Why it was not allowed. */
  readonly denial?: string;
  /** Number of the newest approval asked for it. */
  readonly approval?: number;
  /** Number of the task that it became or started. */
  readonly task?: number;
  /** Number of the thread in which its sub-agent speaks. */
  readonly child?: number;
  /** Numbers in `changes`. */
  readonly changes?: Chunks<number>;
}

/** Background work or a sub-agent, with a life of its own beside turns. */
export interface Task extends Belonging {
  readonly id: string;
  readonly kind: EventOf<'task-start'>['kind'];
  readonly status: 'running' | EventOf<'task-end'>['status'];
  readonly description?: string;
  readonly background?: boolean;
  readonly agentType?: string;
  /** Number of the tool call that started it. */
  readonly tool?: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly durationMs?: number;
  readonly summary?: string;
  readonly error?: string;
  readonly tokens?: number;
  readonly toolUses?: number;
  /** The newest report, only while it runs. */
  readonly progress?: EventOf<'task-progress'>;
}

/** One question to a person. The pending ones form a queue whose head is shown. */
export interface Approval extends Belonging {
  readonly id: string;
  readonly status: 'pending' | 'allowed' | 'denied' | 'answered' | 'withdrawn';
  readonly request: EventOf<'approval-request'>;
  /** Number of the tool call in question, when it is known. */
  readonly tool?: number;
  readonly resolution?: EventOf<'approval-resolve'>;
  readonly withdrawn?: EventOf<'approval-withdraw'>['why'];
  readonly settledAt?: number;
}

/** From a message to its result. Turns may overlap, and a result may come after the next turn has begun. */
export interface Turn extends Belonging {
  readonly start?: EventOf<'turn-start'>;
  readonly end?: EventOf<'turn-end'>;
  /** As the agent tells it, else from start to end. */
  readonly durationMs?: number;
  /** What this turn alone cost; absent when unknown. */
  readonly cost?: Figure;
  /** The agent's running figure for this turn alone, until the turn's own comes. */
  readonly costSoFar?: Figure;
  /** Number of the turn in whose cost this one's is contained, where the agent cannot tell them apart. */
  readonly costWithin?: number;
  /** Tokens of this turn's main conversation, once it ended: what its end told, else the best that was known before. */
  readonly usage?: Usage;
  /** Tokens of the messages that ended in it: what is known before the turn ends. */
  readonly estimate?: Usage;
  /** The agent's own running figure. */
  readonly running?: Usage;
}

export interface Hook extends Belonging {
  readonly start?: EventOf<'hook-start'>;
  readonly end?: EventOf<'hook-end'>;
}

export interface FileChange {
  readonly run: number;
  readonly at: number;
  readonly path: string;
  readonly kind: FileChangeKind;
  readonly to?: string;
  readonly diff?: string;
  /** Number of the tool call that did it. */
  readonly tool?: number;
}
