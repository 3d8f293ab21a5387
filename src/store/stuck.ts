/** A run that goes nowhere, as its watchdog saw it, until something else happens. */
import type { AgentEvent } from '../event/index.js';

export interface Stuck {
  /** Since when it is known. */
  at: number;
  /** What was seen, for people. */
  text: string;
  /** The call that came again and again; any other one is a step on. */
  call?: string;
}

/** Nothing moves, until anything does. */
const SILENT = ['watchdog-silence', 'watchdog-linger', 'watchdog-tasks'];
/** It moves, and gets nowhere, until it does something else. */
const CIRCLING = ['watchdog-repetition', 'watchdog-spend'];

export function stuckAfter(before: Stuck | undefined, event: AgentEvent, toolName: string): Stuck | undefined {
  if (event.type === 'warning') {
    const { code, message: text, at } = event;
    if (SILENT.includes(code)) return { at, text };
    return CIRCLING.includes(code) ? { at, text, call: text.slice(text.indexOf(':') + 1).trim() } : before;
  }
  if (!before || event.source === 'synthetic') return event.type === 'run-end' ? undefined : before;
  if (before.call === undefined) return undefined;
  switch (event.type) {
    case 'turn-end':
    case 'user-message':
    case 'file-change':
    case 'run-end':
      return undefined;
    case 'tool-input-end':
      return `${toolName || 'a tool'} ${event.summary}`.trim() === before.call ? before : undefined;
    default:
      return before;
  }
}
