/**
 * `glassbox/agent`: for an agent of your own. The contract is `Agent`; the kit keeps its promises, reads lines and knows what tools
 * touch; `testAgent` gives the cases that every built-in agent passes too.
 */
export type { Action, Decision } from './agent/action.js';
export type { Agent, Protocol, Step } from './agent/agent.js';
export { BIN_DIRS, valued } from './agent/argument.js';
export type { Capabilities, Capability, CapabilityName } from './agent/capability.js';
export { NO_CAPABILITIES } from './agent/capability.js';
export type { Ask, Chronicle, Note, OpenTool, ToolNews, ToolResult } from './agent/chronicle/chronicle.js';
export { createChronicle } from './agent/chronicle/chronicle.js';
export type { Command, CommandRequest, EndingLadder, Permission, Program } from './agent/command.js';
export type { AgentCase, AgentConformance, AgentRecording, ExpectedCommand } from './agent/conformance/case.js';
export type { RecordedConversation, RecordedHost } from './agent/conformance/replay.js';
export { testAgent } from './agent/conformance/test-agent.js';
export type { Content } from './agent/content.js';
export { readContent } from './agent/content.js';
export { surest } from './agent/detect.js';
export { BY_SIGNAL, BY_WORD } from './agent/ending-ladder.js';
export type { Hints } from './agent/fault.js';
export { faultOf } from './agent/fault.js';
export type { Json } from './agent/field.js';
export {
  anyString,
  isObject,
  list,
  lookUp,
  members,
  number,
  objects,
  parsed,
  string,
  strings,
} from './agent/field.js';
export type { Printed } from './agent/print-only.js';
export { byType, createPrintOnlyProtocol } from './agent/print-only.js';
export type { ReadTargets, ReplacementFields } from './agent/target.js';
export {
  atPaths,
  deleting,
  fetching,
  fetchingWithin,
  nothing,
  patching,
  replacing,
  replacingEach,
  running,
  searching,
  together,
  writing,
} from './agent/target.js';
export type { SummaryFields, ToolFacts, ToolTable } from './agent/tool-table.js';
export { toolTable } from './agent/tool-table.js';
export type { Transcript, TranscriptReader, Transcripts } from './agent/transcript.js';
export type { Draft, DraftOf, Targets, ToolKind, Usage } from './event/index.js';
