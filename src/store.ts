/**
 * `glassbox/store`: events kept, found again and shared between processes. For a store of your own the contract is `Store`; the kit knows
 * what events mean for the records of runs and sessions, which words of them can be found, and what they cost; `testStore` gives the
 * cases that the built-in store passes too.
 */
export { addUsage, balanceOf, costOf, hasSpent, ORIGINS, sumFigures, usageOf } from './ledger/index.js';
export { isBeginning } from './store/beginning.js';
export type { StoreCase, StorePlace } from './store/conformance/case.js';
export { testStore } from './store/conformance/test-store.js';
export { documentOf } from './store/document.js';
export * from './store/index.js';
export { refuseUnknownQueries } from './store/known-query.js';
export { type BesideRuns, type RunOfSession, sessionRecord } from './store/session-record.js';
export { shortId } from './store/short-id.js';
export { makeSnippet } from './store/snippet.js';
export { type Additions, addEvent, createSummary, openingOf, type Summary } from './store/summary.js';
export { foldWord, parseTerms, type Term, wordsIn } from './store/words.js';
