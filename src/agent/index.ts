/** The only list of agents. */
import type { Agent } from './agent.js';
import { amp } from './amp/index.js';
import { anyAcp } from './any-acp/index.js';
import { claude } from './claude/index.js';
import { cline } from './cline/index.js';
import { codex } from './codex/index.js';
import { copilot } from './copilot/index.js';
import { cursor } from './cursor/index.js';
import { droid } from './droid/index.js';
import { gemini } from './gemini/index.js';
import { kilo } from './kilo/index.js';
import { kimi } from './kimi/index.js';
import { opencode } from './opencode/index.js';
import { pi } from './pi/index.js';
import { qwen } from './qwen/index.js';

export type * from './action.js';
export type * from './agent.js';
export type { AttachableType, GivenFile, Said } from './attachment.js';
export type * from './capability.js';
export * from './command.js';
export type * from './presence.js';
export type * from './transcript.js';

/** Every agent that glassbox knows, each behind the same contract; the order is that of all lists. */
export const AGENTS: readonly Agent[] = [
  claude,
  codex,
  amp,
  gemini,
  qwen,
  opencode,
  kilo,
  pi,
  anyAcp,
  copilot,
  droid,
  cline,
  cursor,
  kimi,
];
