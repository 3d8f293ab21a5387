/** The door of the review: who made a line, what people say to a session's changes, and how that reaches its agent. */
export type { ReadableStore } from './folder-time.js';
export type { LineCommit } from './line-commit.js';
export { type CallReasons, type Why, whyLine } from './why.js';
