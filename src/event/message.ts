import type { Usage } from './turn.js';

/** One block of a message. `index` is its position within the message as glassbox counts it, stable between deltas and end. */
interface Block {
  messageId: string;
  index: number;
}

export type MessageDraft =
  /** An assistant message begins; once per `messageId`, however many lines it comes in. */
  | { type: 'message-start'; messageId: string; model?: string }
  /** More of a text, as the model writes it. */
  | ({ type: 'text-delta'; text: string } & Block)
  /** The whole text of a block; it replaces its deltas. `partial` when it was cut off. */
  | ({ type: 'text-end'; text: string; partial?: boolean } & Block)
  /** Thinking begins; it may stay without text when the agent hides it. */
  | ({ type: 'thinking-start' } & Block)
  /** More of what the model thinks. */
  | ({ type: 'thinking-delta'; text: string } & Block)
  /** The whole thinking text; it replaces its deltas. `redacted` when the agent keeps it to itself. */
  | ({ type: 'thinking-end'; text: string; redacted?: boolean; partial?: boolean; durationMs?: number } & Block)
  /** The message is complete. `usage` counts this message once. */
  | { type: 'message-end'; messageId: string; model?: string; usage?: Usage; stopReason?: string }
  /** What was said under this id no longer holds: views remove it. Without `index` the whole message. */
  | { type: 'message-retract'; messageId: string; index?: number; why: 'superseded' | 'refused' | 'stream-broken' }
  /** Something said to the agent: a prompt, a follow-up, a sub-agent's task, or text that the agent put in itself (`synthetic`). */
  | {
      type: 'user-message';
      text: string;
      messageId?: string;
      synthetic?: boolean;
      replay?: boolean;
      attachments?: Attachment[];
    };

/** Something that is not text in a message or a tool result. */
export interface Attachment {
  kind: 'image' | 'document' | 'resource' | 'other';
  /** As whoever attached it calls it, without a path. */
  name?: string;
  mimeType?: string;
  /** Base64, where the agent printed it and the bounds allow it. */
  data?: string;
  /** Where it lives, if the agent gave only a reference. */
  uri?: string;
  /** Size of the original data in bytes, if known. */
  bytes?: number;
}
