/**
 * The contract behind which each agent lives: one folder, one pure state machine.
 *
 * Nothing here reads a clock, starts a process, calls back or makes random ids, so that a recording, a live
 * process and a browser page all use the same code. Reading a recording uses only `receive` and `end`.
 */
import type { Draft } from '../event/index.js';
import type { Action } from './action.js';
import type { AttachableType } from './attachment.js';
import type { Capabilities } from './capability.js';
import type { Command, CommandRequest, Program } from './command.js';
import type { Hooks } from './hooks.js';
import type { SignsOfLife } from './presence.js';
import type { Transcripts } from './transcript.js';

export interface Agent {
  /** What people type: `claude`. */
  readonly name: string;
  /** What people read: `Claude Code`. */
  readonly title: string;
  /** Name in the universal envelope: `claude_code`. */
  readonly kind: string;
  /** Capability ids of its own there, without their prefix `backend.<kind>.`. */
  readonly envelopeIds?: readonly string[];
  readonly program: Program;
  readonly capabilities: Capabilities;
  /** How hard it can be told to think, in its own words, the least first; absent where it cannot be told. */
  readonly efforts?: readonly string[];
  /** What may be attached to what is said to it; absent where it takes words alone. */
  readonly attachments?: readonly AttachableType[];
  /** How sure the agent is that these first values of a stream are its own: 0 not at all, 1 certain. */
  detect(values: readonly unknown[]): number;
  /** For another output of the same program, which is not read: what it is and what to do instead, by how it begins. */
  otherOutput?(head: string): string | undefined;
  /** Flags that make the program print the stream this protocol reads. */
  readonly outputFlags: readonly string[];
  /**
   * Where a capability has a limit: which part of the request lies beyond it, and what to do instead, as the rest of a sentence after
   * "… cannot". Asked before anything is started.
   */
  cannot?(request: CommandRequest): string | undefined;
  /** The argument vector for a request. Throws nothing: what cannot be done is checked before. */
  command(request: CommandRequest): Command;
  /** Arguments by which its own interactive program continues a session; absent where there is no such thing. */
  openArgs?(sessionId: string): string[];
  createProtocol(request?: Partial<CommandRequest>): Protocol;
  /**
   * For a kind of line that comes thousands of times: its value exactly as `JSON.parse` gives it, found in a quicker way; undefined for every
   * line about which anything is odd, which the parser reads.
   */
  readFrequent?(line: string): unknown;
  /** Its conversations on disk, where they can be read. */
  readonly transcripts?: Transcripts;
  /** What its program tells others of sessions, and lets them answer, where that locks nobody out. */
  readonly hooks?: Hooks;
  /** What else tells that a session is live, and what it does. */
  readonly presence?: SignsOfLife;
}

/** One conversation with one process, as a pure state machine. */
export interface Protocol {
  /** Lines to write when the process has started (handshakes, the first prompt). */
  start(): Step;
  /** One value that the agent printed; `bytes` is the size of its line. Never throws, whatever the value. */
  receive(value: unknown, bytes: number): Step;
  /** Something a person or a rule decided. */
  act(action: Action): Step | 'unsupported';
  /** The stream is over: closes everything that is still open. */
  end(): Step;
  /** True once nothing more will come unless somebody speaks: stdin may be closed. */
  idle(): boolean;
}

/** What follows from one input: events for the readers and lines for the agent's stdin (without newline). */
export interface Step {
  events: Draft[];
  send: string[];
}
