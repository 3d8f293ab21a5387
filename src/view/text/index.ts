/** Lines for people: the text view, and the parser, formatter, processor and completion check of `glassbox/compat`. */
export { type ConsentRows, consentRows, partRows } from './consent-rows.js';
export { createFormatter, type FormatOptions, type Formatter } from './format.js';
export { type CompletionOptions, type Extracted, extractFromJson, isComplete } from './is-complete.js';
export { type Parsed, type Parser, parserFor } from './parser-for.js';
export { createProcessor, type Processor, type ProcessorOptions } from './processor.js';
export { safe, safeJson, safeLine, safeOutput, sentence } from './safe.js';
export { isError, type StreamEvent } from './stream-event.js';
export { createTextView, type TextView, type TextViewOptions } from './text-view.js';
