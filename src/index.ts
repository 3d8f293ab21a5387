/** The root door of the package: what most programs need, and nothing that touches a process before it is asked to. */
export type {
  Action,
  Agent,
  Capabilities,
  CapabilityName,
  CommandRequest,
  Permission,
  Protocol,
} from './agent/index.js';
export { AGENTS } from './agent/index.js';
export * from './decode/index.js';
export * from './event/index.js';
export type { ByteSource, Signal } from './jsonl/index.js';
export type { RunHandle, RunRequest } from './run/index.js';
export { run, runToEnd } from './run/index.js';
export type { SessionState } from './session/index.js';
export {
  initialState,
  reduce,
  selectChangedFiles,
  selectConversation,
  selectCost,
  selectCurrentActivity,
  selectHealth,
  selectOpenWork,
  selectPendingApproval,
  selectTimeline,
  selectTodos,
  selectUsage,
} from './session/index.js';
