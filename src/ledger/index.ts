/** The door of the ledger: figures of money and tokens, added up in one way for everybody. */

export { CAUSE_MEANINGS, CAUSE_NAMES, CAUSES, type Cause } from './cause.js';
export { type CauseShare, type CauseShares, createCauseShares } from './cause-share.js';
export { type Entered, enter, type FindBalance } from './enter.js';
export { type Figure, ORIGINS, sumFigures, tellMoney, tellUsd } from './figure.js';
export { type Entry, type Ledger, openLedger } from './ledger.js';
export { createRunLedgers, type RunLedgers } from './run-ledgers.js';
export { priceOf } from './token-price.js';
export { createShares, type Shares, type ToolShare } from './tool-share.js';
export { balanceOf, costOf, hasSpent, sumLedgers, usageOf } from './total.js';
export { addModels, addUsage, inputTokens, isTelling, subtractUsage, tokensSpent, USAGE_FIELDS } from './usage.js';
