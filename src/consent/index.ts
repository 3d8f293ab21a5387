/** What a person is shown before deciding: the words, the scope of "always", and how files would change. Views only draw it. */
export { promptFor, type Read, readFilled, readTyped } from './answer.js';
export type { Around } from './around.js';
export { type ApprovalRequest, type Consent, consentFor, lineFor, sentenceFor } from './consent.js';
export { changeTexts, decisionText, saidText } from './decision.js';
export { type DifferenceOptions, differencesOf, type FileNow } from './differences.js';
export { editTexts } from './edit-text.js';
export type { Fact } from './fact.js';
export { type Field, fieldsOf } from './field.js';
export { hunksBetween } from './line-hunks.js';
export { maskLines } from './mask-lines.js';
export { type DifferencePart, differencePartsOf, type Part } from './part.js';
export { rowsOfPatch, withoutGuess } from './patch-rows.js';
export { pathWithin } from './path-within.js';
export { restOf, wholeInput } from './rest.js';
export { looseRows, type Row, rowsOf } from './row.js';
export type { Scope } from './scope.js';
