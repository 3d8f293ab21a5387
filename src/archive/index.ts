/** The door of the archive: sessions that glassbox did not start. */
export type { ForeignDatabase, OpenDatabase } from './database.js';
export type { Conversation, ConversationFile, Surroundings, Unreadable } from './find.js';
export { conversationsIn, findConversations, firstValue, placesIn, transcriptFolders } from './find.js';
export type { ImportOptions, ImportProgress, ImportResult } from './import.js';
export { importConversations } from './import.js';
export { importFigures } from './import-figures.js';
export { readMoments } from './moment.js';
export { openOwn } from './own-file.js';
export { runIdOf } from './read.js';
export { settleRun } from './settle.js';
export type { Life, Watching, WatchNews, WatchOptions, WatchPace } from './watch/watch.js';
export { watchTranscripts } from './watch/watch.js';
export type { WordsProgress } from './watch/words.js';
