/**
 * The universal words: what any backend says in the same few shapes, bounded and without payloads.
 *
 * Names are those of the universal API, because envelopes are made to be serialised.
 */

export type EnvelopeKind = 'TextOutput' | 'ToolCall' | 'ToolResult' | 'Status' | 'Error' | 'Unknown';

/** One universal event. Never a raw line, never a tool's input or output. */
export interface Envelope {
  agent_kind: string;
  kind: EnvelopeKind;
  /** For grouping: `assistant`, `tool`, `status`, `error`, `user`. */
  channel?: string;
  /** Only on `TextOutput`. */
  text?: string;
  /** On `Status` and `Error`. */
  message?: string;
  data?: ToolFacet | SessionFacet | Dropped;
}

/** What is known about a tool call, without what went in or came out. */
export interface ToolFacet {
  schema: 'agent_api.tools.structured.v1';
  tool: {
    backend_item_id: string | null;
    thread_id: string | null;
    turn_id: string | null;
    kind: string;
    phase: 'start' | 'delta' | 'complete' | 'fail';
    status: 'pending' | 'running' | 'completed' | 'failed' | 'unknown';
    exit_code: number | null;
    bytes: { stdout: number; stderr: number; diff: number; result: number };
    tool_name: string | null;
    tool_use_id: string | null;
  };
}

/** The agent's session, to resume it with. */
export interface SessionFacet {
  schema: 'agent_api.session.handle.v1';
  session: { id: string };
}

/** Stands where data was too big. */
export interface Dropped {
  dropped: { reason: 'oversize' };
}

/** What a run came to. A program that exits with another status than 0 is no error (DR-0007). */
export type EnvelopeCompletion =
  | {
      ok: true;
      status: { code: number | null; signal: string | null };
      final_text?: string;
      data?: SessionFacet | Dropped;
    }
  | { ok: false; error: EnvelopeError };

export type EnvelopeError =
  | { kind: 'Backend'; message: string }
  | { kind: 'Timeout'; message: string; timeout_ms: number };
