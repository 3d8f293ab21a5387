/** `glassbox/text`: events as lines for a terminal, and text made harmless for one. */
export {
  type ConsentRows,
  consentRows,
  createTextView,
  partRows,
  safe,
  safeJson,
  safeLine,
  sentence,
  type TextView,
  type TextViewOptions,
} from './view/text/index.js';
