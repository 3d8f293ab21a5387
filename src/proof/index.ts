/** The door of the proofs: what page and server say and sign so that neither takes another for the one it knows. */
export { type Authorization, formatAuthorization, readAuthorization, SCHEME } from './authorization.js';
export { codeIn, createCode, guestLinkWith, isGuestLink, linkWith } from './code.js';
export {
  createKey,
  digestOf,
  guestMark,
  isMac,
  isSignature,
  type Key,
  macOf,
  randomText,
  readKey,
  type SigningKey,
  sign,
  writeKey,
} from './key.js';
export * as statement from './statement.js';
