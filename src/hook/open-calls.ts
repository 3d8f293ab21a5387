/** Calls of tools that began and did not end, as hooks tell: a question about one does not name it, and is about the same. */
import type { HookCall } from '../agent/hooks.js';

export interface OpenCalls {
  see(agent: string, call: HookCall): void;
  /** The id of the call that a question is about. */
  idOf(agent: string, question: HookCall): string | undefined;
}

/** Sessions end without saying so. */
const MOST = 1000;

export function createOpenCalls(): OpenCalls {
  const open = new Map<string, string>();
  return {
    see(agent, call) {
      const { toolId } = call.call ?? {};
      if (toolId === undefined) return;
      if (call.what === 'tool-end') {
        for (const [key, id] of open) if (id === toolId) open.delete(key);
      } else if (call.what === 'tool-start') {
        open.set(keyOf(agent, call), toolId);
        const [oldest] = open.keys();
        if (open.size > MOST && oldest !== undefined) open.delete(oldest);
      }
    },
    idOf: (agent, question) => open.get(keyOf(agent, question)),
  };
}

function keyOf(agent: string, { sessionId, part, call }: HookCall): string {
  const { toolName, input } = call?.request ?? {};
  return JSON.stringify([agent, sessionId, part, toolName, input]);
}
