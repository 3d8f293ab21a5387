/** The door of the archive: sessions that glassbox did not start. */
export type { Conversation } from './find.js';
export { findConversations, transcriptFolders } from './find.js';
export type { ImportOptions, ImportProgress, ImportResult } from './import.js';
export { importConversations } from './import.js';
