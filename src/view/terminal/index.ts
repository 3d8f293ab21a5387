/** The terminal view: a session as rows for a person who reads it, whole or while it goes on. */
export { type ConversationOptions, conversationRows } from './conversation-rows.js';
export { type LiveOptions, type LiveRows, liveRows, NOTHING_TOLD, type Told } from './live-rows.js';
export { type KeyHint, type StatusOptions, statusRow } from './status-row.js';
