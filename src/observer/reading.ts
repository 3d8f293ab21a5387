/** What reads conversations, which is loaded with the code of the agents whose they are. */
export { createConversations } from './conversations.js';
export { readTranscriptEnd } from './transcript-end.js';
