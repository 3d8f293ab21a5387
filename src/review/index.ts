/** The door of the review: who made a line, what people say to a session's changes, and how that reaches its agent. */
export { changeMakers, type FileMakers } from './change-makers.js';
export { type CommentPlace, type CommentState, placeText, type ReviewComment } from './comment.js';
export { forgetComments, pendingComment, readComments, removeComment, writeComment } from './comment-files.js';
export { commentStates } from './comment-state.js';
export { settleDeliveries } from './delivery.js';
export { markEditsOfOthers } from './edits-of-others.js';
export type { ReadableStore } from './folder-time.js';
export type { LineCommit } from './line-commit.js';
export { reviewMessage } from './review-message.js';
export { type ReviewFileLines, readReviewText, reviewText, type Written } from './review-text.js';
export { sendComments } from './send-comments.js';
export { shownHunks } from './shown-hunks.js';
export { areShown } from './shown-lines.js';
export { type CallReasons, type Why, whyLine } from './why.js';
