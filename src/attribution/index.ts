/** Who made the lines of files, by what is recorded and kept; unknown rather than false. */
export { blame } from './blame.js';
export { type CallOptions, callsOf } from './calls-of.js';
export { type HunkMaker, hunkMakers } from './hunk-maker.js';
export { NEW, originsOf } from './line-origin.js';
export {
  type Allowed,
  type Call,
  type CallRef,
  type KnownEdit,
  type Maker,
  NONE_KEPT,
  type RewindRef,
  type Step,
  type TurnRef,
  type Unknown,
} from './maker.js';
export { allowedText, makerText } from './maker-text.js';
export { linesOf, type MadeText } from './replay.js';
export { type Mark, type RewindMark, type Span, spansOf, type Work } from './span.js';
