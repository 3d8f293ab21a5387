import type { Attachment } from './message.js';
import type { Targets } from './target.js';

export const TOOL_KINDS = ['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'other'] as const;

export type ToolKind = (typeof TOOL_KINDS)[number];

/** `unknown`: the stream ended before the tool did. */
export type ToolStatus = 'ok' | 'failed' | 'denied' | 'cancelled' | 'unknown';

export type ToolDraft =
  /** A tool call exists; its arguments may still be streaming. */
  | {
      type: 'tool-start';
      id: string;
      name: string;
      kind: ToolKind;
      /** Set for tools of MCP servers. */
      mcp?: { server: string; tool: string };
      title?: string;
      messageId?: string;
      /** Position within the message, counted with its texts; needed where a call may start before a text in front of it has ended. */
      index?: number;
      /** Runs at the model's provider, not on this machine. */
      remote?: boolean;
    }
  /** A fragment of the arguments' JSON text. */
  | { type: 'tool-input-delta'; id: string; text: string }
  /** The arguments are complete. `summary` is one line for people, empty when nothing applies. */
  | (Targets & { type: 'tool-input-end'; id: string; input: unknown; summary: string })
  /** More of what a running tool prints. */
  | { type: 'tool-output-delta'; id: string; text: string; stream?: 'stdout' | 'stderr' }
  /** A running tool tells that it goes on, in words or by the time that it took so far. */
  | { type: 'tool-progress'; id: string; elapsedMs?: number; text?: string }
  /** Exactly one per `tool-start`. A result without a start is allowed, the start may not have been seen. */
  | {
      type: 'tool-end';
      id: string;
      name?: string;
      status: ToolStatus;
      /** The result as text, or the error message when `status` is not `ok`. */
      output?: string;
      attachments?: Attachment[];
      exitCode?: number;
      /** Only where the agent tells; otherwise views take the difference of `at`. */
      durationMs?: number;
      /** The result went on in the background under this task id. */
      taskId?: string;
    };
