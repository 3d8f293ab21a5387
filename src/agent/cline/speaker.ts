/**
 * Who speaks in Cline's stream. Its events carry no id; only the hook lines around them name the agent. A sub-agent speaks from its
 * start until it is done, and its parent is the call that was open when it started.
 */
import type { Chronicle } from '../chronicle/chronicle.js';
import { anyString, type Json, string } from '../field.js';

export interface Speakers {
  /** The call whose sub-agent speaks; absent for the main conversation. */
  readonly parent: string | undefined;
  noteHook(hook: Json): void;
  /** The model begins a call that starts an agent. */
  expect(toolId: string, task: string | undefined): void;
  /** Whoever speaks is done. */
  leave(): void;
}

export function createSpeakers(chronicle: Chronicle): Speakers {
  /** Sub-agents that run, each with the call that started it. */
  const running = new Map<string, string | undefined>();
  const calls: { toolId: string; task: string | undefined }[] = [];
  let speaker: string | undefined;

  return {
    get parent() {
      return speaker === undefined ? undefined : (running.get(speaker) ?? speaker);
    },
    noteHook({ hookEventName, agentId, parentAgentId }) {
      const id = anyString(agentId) ?? '';
      const isChild = string(parentAgentId) !== undefined;
      if (isChild && hookEventName === 'agent_start' && !running.has(id)) {
        const { toolId, task } = calls.shift() ?? {};
        running.set(id, toolId);
        chronicle.startTask({ id, kind: 'agent', toolId, description: task });
      }
      speaker = isChild && running.has(id) ? id : undefined;
      if (hookEventName === 'agent_end') chronicle.endTask(id, { status: 'ok', toolId: running.get(id) });
      if (hookEventName === 'agent_error') chronicle.endTask(id, { status: 'failed', toolId: running.get(id) });
    },
    expect(toolId, task) {
      calls.push({ toolId, task });
    },
    leave() {
      if (speaker !== undefined) running.delete(speaker);
      speaker = undefined;
    },
  };
}
