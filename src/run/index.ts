/** The door of the runs: a process as `{ events, completion }`. */
export type { Agent } from '../agent/index.js';
export { redactText, requireAgent } from '../decode/index.js';
export type { Answer, AnswerOf, Changes } from '../event/index.js';
export { applyChanges, changesBetween } from '../event/index.js';
export type { ApprovalRequest, Rule } from './approval/rule.js';
export { describeRule } from './approval/rule.js';
export {
  bindAttachments,
  forgetAttachments,
  keepAttachment,
  keepFile,
  keptFiles,
  type WaitingAttachment,
} from './attachment/kept-attachments.js';
export type { Beginning, RunHandle } from './handle.js';
export type { WatchdogOptions, WatchPolicy } from './limit/watchdog.js';
export { type HandOver, handOver } from './open-session.js';
export { commandLine } from './process/command-line.js';
export type { FoundProgram } from './process/find-program.js';
export { findProgram, thisMachine } from './process/find-program.js';
export { findInsiders, insideRefusal, isOfRun, refuseInsideRun, runAround } from './process/inside-run.js';
export { endLeftovers } from './process/leftover.js';
export { stateDirectory } from './process/reaper.js';
export type { Configuration } from './request/configuration.js';
export { defaultsFor, readConfiguration, userFile } from './request/configuration.js';
export { continueUnder, FROM_START } from './request/continuation.js';
export type { RunRequest } from './request/request.js';
export type { AgentSettings, Settings } from './request/setting.js';
export { run } from './run.js';
export { runToEnd } from './run-to-end.js';
export type { Tap } from './tap.js';
