/**
 * What is seen of each agent from outside: enough to find its sessions on a machine without its code, which is loaded when one of its conversations
 * is to be read.
 */
import type { Agent } from './agent.js';
import { trace as amp } from './amp/trace.js';
import { trace as anyAcp } from './any-acp/trace.js';
import { trace as claude } from './claude/trace.js';
import { trace as cline } from './cline/trace.js';
import { trace as codex } from './codex/trace.js';
import { trace as copilot } from './copilot/trace.js';
import { trace as cursor } from './cursor/trace.js';
import { trace as droid } from './droid/trace.js';
import { trace as gemini } from './gemini/trace.js';
import { trace as kilo } from './kilo/trace.js';
import { trace as kimi } from './kimi/trace.js';
import { trace as opencode } from './opencode/trace.js';
import { trace as pi } from './pi/trace.js';
import type { AgentTrace } from './presence.js';
import { trace as qwen } from './qwen/trace.js';

export interface Trace extends AgentTrace {
  load(): Promise<Agent>;
}

/** Of all agents, in the order of their list. */
export const TRACES: readonly Trace[] = [
  { ...claude, load: async () => (await import('./claude/index.js')).claude },
  { ...codex, load: async () => (await import('./codex/index.js')).codex },
  { ...amp, load: async () => (await import('./amp/index.js')).amp },
  { ...gemini, load: async () => (await import('./gemini/index.js')).gemini },
  { ...qwen, load: async () => (await import('./qwen/index.js')).qwen },
  { ...opencode, load: async () => (await import('./opencode/index.js')).opencode },
  { ...kilo, load: async () => (await import('./kilo/index.js')).kilo },
  { ...pi, load: async () => (await import('./pi/index.js')).pi },
  { ...anyAcp, load: async () => (await import('./any-acp/index.js')).anyAcp },
  { ...copilot, load: async () => (await import('./copilot/index.js')).copilot },
  { ...droid, load: async () => (await import('./droid/index.js')).droid },
  { ...cline, load: async () => (await import('./cline/index.js')).cline },
  { ...cursor, load: async () => (await import('./cursor/index.js')).cursor },
  { ...kimi, load: async () => (await import('./kimi/index.js')).kimi },
];
