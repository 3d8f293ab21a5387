/**
 * The neutral words of glassbox: every agent is translated into this one union.
 *
 * A `Draft` is what an agent's protocol says; `decode` and `run` stamp it into an `AgentEvent`.
 * Consumers must ignore types and fields that they do not know.
 */
import type { ApprovalDraft } from './approval.js';
import type { FaultDraft } from './fault.js';
import type { MessageDraft } from './message.js';
import type { RunEnd } from './run-end.js';
import type { SessionDraft } from './session.js';
import type { StatusDraft } from './status.js';
import type { ToolDraft } from './tool.js';
import type { TurnDraft } from './turn.js';
import type { WorkDraft } from './work.js';

/** Where an event was seen first. `synthetic` means that glassbox concluded it (closing what was cut off, watchdog notes). */
export type Source = 'stream' | 'hook' | 'transcript' | 'synthetic';

/** What is known about any event before it is stamped: by the agent's protocol, and `cuts` by the guard. */
export interface Context {
  /** The agent's own session id, once one was seen. */
  sessionId?: string;
  /** Id of the tool call whose sub-agent speaks; absent for the main conversation. */
  parent?: string;
  /** The turn this belongs to, from 1; 0 before the first turn starts. On `turn-end` it names the turn that ended. */
  turn: number;
  /** What the guard shortened; absent when the event is whole. */
  cuts?: Cut[];
}

/** One value that was too big for an event and was shortened. */
export interface Cut {
  /** JSON pointer (RFC 6901) from the event, for example `/output` or `/input/edits/0/new_string`. */
  path: string;
  /** Size of the whole value before the cut: UTF-8 bytes of a text, of the JSON text of anything else. */
  bytes: number;
}

/** Added by `decode` and `run` to every event. */
export interface Stamp {
  /** Version of this vocabulary; present on printed and stored events. */
  schema?: 1;
  /** Position in the run, from 1, without holes. */
  seq: number;
  /** First `seq` covered by a coalesced event, whose own `seq` is its last. */
  fromSeq?: number;
  /** When glassbox received it, in ms since the epoch. */
  at: number;
  /** The process this belongs to. */
  runId: string;
  /** Name of the agent, for example `claude`. */
  agent: string;
  source: Source;
  /**
   * The agent's own value behind this event, only where it was asked for. Not enumerable, so it is never printed, stored
   * or sent, and not redacted.
   */
  readonly raw?: unknown;
}

export type Payload =
  | SessionDraft
  | TurnDraft
  | MessageDraft
  | ToolDraft
  | WorkDraft
  | ApprovalDraft
  | StatusDraft
  | FaultDraft
  | RunEnd;

type With<Union, Extra> = Union extends unknown ? Union & Extra : never;

/** An event before it is stamped. `source` is set only where it differs from `stream`. */
export type Draft = With<Payload, Context & { source?: Source }>;

/** The event that everybody downstream of the guard sees. */
export type AgentEvent = With<Payload, Context & Stamp>;

export type EventType = Payload['type'];

/** The member of the union with this type: `EventOf<'tool-end'>`. */
export type EventOf<Type extends EventType> = Extract<AgentEvent, { type: Type }>;

/** The draft with this type: `DraftOf<'tool-end'>`. */
export type DraftOf<Type extends EventType> = Extract<Draft, { type: Type }>;
