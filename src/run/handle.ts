/** The handle of a run, as a program sees it. */
import type { Capabilities } from '../agent/index.js';
import type {
  AgentEvent,
  Answer,
  AnswerOf,
  Completion,
  Decider,
  Instruction,
  Reception,
  Terms,
} from '../event/index.js';
import type { ApprovalRequest } from './approval/rule.js';
import type { Tap } from './tap.js';

export interface RunHandle extends AsyncDisposable {
  readonly runId: string;
  /** Name of the agent. */
  readonly agent: string;
  readonly capabilities: Capabilities;
  /** What it was started with, for whoever continues its session. */
  readonly terms: Terms;
  /** What its record begins with, for whoever keeps it. */
  readonly beginning: Beginning;

  /**
   * Everything that happens, in order and without loss. Each iteration is a reader of its own; the agent is read no
   * faster than the slowest of them. Who begins in the turn of the event loop in which the run was started, also after
   * promises that are settled already, has the first event. Before the first reader comes, up to 16 MiB are kept for it.
   */
  readonly events: AsyncIterable<AgentEvent>;
  /** A view that never slows the run and may lose deltas, which it says with `gap`; for screens, not for records. */
  tap(options?: { capacity?: number }): Tap;
  /**
   * Never rejects. Settles when the process is gone and every current reader has ended or let go, so do not await it
   * inside a loop over `events`.
   */
  readonly completion: Promise<Completion>;

  /** Throws when the agent no longer listens. `attachments` as in the request. */
  say(text: string, options?: { attachments?: readonly string[] | undefined }): void;
  /** Answers give back false when the request is no longer open, and throw when they make no sense. */
  approve(id: string, options?: AnswerOf<'approve'>): boolean;
  deny(id: string, message?: string, options?: Pick<AnswerOf<'deny'>, 'interrupt'>): boolean;
  /** By question text, or by field of an elicitation. */
  answer(id: string, answers: Readonly<Record<string, unknown>>): boolean;
  /** Any of these, with who gave it and how; without that it was a person, through this program. */
  decide(id: string, answer: Answer, decider?: Decider): boolean;
  /** The same and more from anybody, also from other processes, as a store brings it; without `from` a person, through this program. */
  tell(instruction: Instruction, from?: Decider): Reception;
  /**
   * The agent is not started before this is settled, and not at all when it rejects. To be called in the turn of the event loop in which the run was
   * started.
   */
  startAfter(ready: Promise<unknown>): void;
  /** A remark of whoever runs it, which is told as a warning. */
  warn(code: string, message: string): void;
  /** Requests that nobody has answered yet. */
  pending(): ApprovalRequest[];

  /**
   * Stops the current turn; a conversation that is kept open lives on. False when there is nothing to stop. `why`, for people: who
   * or what wanted it, `interrupted by the user`.
   */
  interrupt(why?: string): boolean;
  /** Ends the run, by the agent's own ladder. May be called at any time, also before the process exists. `why` as above. */
  cancel(why?: string): void;
  /** Nothing more will be said: the agent may finish what it does and then ends. */
  close(): void;

  /** The end of its raw output, as it came, when `captureBytes` asked for it; else empty. Not redacted, in no event. */
  captured(): string;
  /** The last words on stderr, redacted; empty unless they are collected. They are in no event. */
  stderrTail(): string;
}

/** When and where a run was started, and what it continues. */
export interface Beginning {
  startedAt: number;
  cwd: string;
  model?: string;
  /** The agent's session id that it continues; absent when that was left to the agent. */
  resumes?: string;
  fork?: boolean;
}
