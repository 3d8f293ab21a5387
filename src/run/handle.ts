/** The handle of a run, as a program sees it. */
import type { Capabilities } from '../agent/index.js';
import type { AgentEvent, Completion } from '../event/index.js';
import type { ApproveOptions, DenyOptions } from './approval.js';
import type { ApprovalRequest } from './rule.js';
import type { Tap } from './tap.js';

export interface RunHandle extends AsyncDisposable {
  readonly runId: string;
  /** Name of the agent. */
  readonly agent: string;
  readonly capabilities: Capabilities;

  /**
   * Everything that happens, in order and without loss. Each iteration is a reader of its own; the agent is read no
   * faster than the slowest of them. Before the first reader comes, up to 16 MiB are kept for it.
   */
  readonly events: AsyncIterable<AgentEvent>;
  /** A view that never slows the run and may lose deltas, which it says with `gap`; for screens, not for records. */
  tap(options?: { capacity?: number }): Tap;
  /**
   * Never rejects. Settles when the process is gone and every current reader has ended or let go, so do not await it
   * inside a loop over `events`.
   */
  readonly completion: Promise<Completion>;

  /** Throws when the agent no longer listens. */
  say(text: string): void;
  /** Answers give back false when the request is no longer open. */
  approve(id: string, options?: ApproveOptions): boolean;
  deny(id: string, message?: string, options?: DenyOptions): boolean;
  /** By question text, or by field of an elicitation. */
  answer(id: string, answers: Record<string, unknown>): boolean;
  /** Requests that nobody has answered yet. */
  pending(): ApprovalRequest[];

  /** Stops the current turn; a conversation that is kept open lives on. False when there is nothing to stop. */
  interrupt(): boolean;
  /** Ends the run, by the agent's own ladder. May be called at any time, also before the process exists. */
  cancel(): void;
  /** Nothing more will be said: the agent may finish what it does and then ends. */
  close(): void;

  /** The end of its raw output, as it came, when `captureBytes` asked for it; else empty. Not redacted, in no event. */
  captured(): string;
  /** The last words on stderr, redacted; empty unless they are collected. They are in no event. */
  stderrTail(): string;
}
