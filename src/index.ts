/** The root door of the package: what most programs need, and nothing that touches a process before it is asked to. */
export type { Agent, Capabilities, CapabilityName, Permission } from './agent/index.js';
export { AGENTS } from './agent/index.js';
export type { DecodeOptions, Decoder, DecoderOptions, Redactor } from './decode/index.js';
export { createDecoder, createRedactor, decode, detectAgent, redactText } from './decode/index.js';
export type {
  AgentEvent,
  AnswerOf,
  Changes,
  Completion,
  Cost,
  Decider,
  Draft,
  EndReason,
  ErrorCode,
  ErrorFacts,
  EventOf,
  EventType,
  Suggestion,
  Targets,
  ToolKind,
  Usage,
} from './event/index.js';
export { GlassboxError } from './event/index.js';
export type { ByteSource, Signal } from './jsonl/index.js';
export type { Rule, RunHandle, RunRequest, Tap } from './run/index.js';
export { run, runToEnd } from './run/index.js';
