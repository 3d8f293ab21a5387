/**
 * `glassbox/compat`: the faces that earlier documents asked for, each over the same events. New programs need none of them:
 *
 * - `createHeadlessService`: one run at a time as the events of a headless service. Today: `run`.
 * - `createBackend`, `createGateway`, `createProjection`: every agent as bounded envelopes that carry metadata only. Today: `run`.
 * - `createConversation`: five values and five actions over runs that somebody else starts. Today: `reduce` and selectors.
 * - `createStreamParser`: bytes in at one place, events out at another. Today: `createDecoder`.
 * - `parserFor`, `createFormatter`, `createProcessor`, `isComplete`, `outputFlags`: lines for people from the output of a command.
 *   Today: `createTextView`.
 */
export type { StreamParser } from './decode/index.js';
export { createStreamParser, outputFlags } from './decode/index.js';
export * from './envelope/index.js';
export type {
  ControlRequest,
  HeadlessBlock,
  HeadlessEvent,
  HeadlessMessage,
  HeadlessService,
} from './run/headless.js';
export { createHeadlessService } from './run/headless.js';
export type { ConversationModel, ConversationRun, StartRun } from './session/view-model.js';
export { createConversation } from './session/view-model.js';
export {
  type CompletionOptions,
  createFormatter,
  createProcessor,
  type Extracted,
  extractFromJson,
  type FormatOptions,
  type Formatter,
  isComplete,
  isError,
  type Parsed,
  type Parser,
  type Processor,
  type ProcessorOptions,
  parserFor,
  type StreamEvent,
} from './view/text/index.js';
