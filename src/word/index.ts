export { attachmentText } from './attachment-text.js';
export { count, counted, tokens } from './count.js';
export { duration } from './duration.js';
export { capitalised, eventText, type Sentence, wordOf } from './event-text.js';
export { limitName } from './limit-name.js';
export { runEndText } from './run-end-text.js';
export { oneLine, shorten } from './shorten.js';
export { size } from './size.js';
