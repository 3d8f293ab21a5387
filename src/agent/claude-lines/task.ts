/** Background work and sub-agents: what several notices per task tell. */

import type { DraftOf } from '../../event/index.js';
import type { Body, Chronicle } from '../chronicle/chronicle.js';
import { type Json, lookUp, number, object, objects, string } from '../field.js';
import type { Speech } from './speech.js';

export interface Tasks {
  started(line: Json): void;
  progress(line: Json): void;
  updated(line: Json): void;
  notified(line: Json): void;
  /** The agent's whole list of background tasks. */
  listed(line: Json): void;
  /** The stream is over: what was announced as over is. */
  settle(): void;
}

export function createTasks(chronicle: Chronicle, speech: Speech): Tasks {
  /** Named by the agent's last list of background tasks. */
  let listed: ReadonlySet<string | undefined> = new Set();
  /** A terminal `task_updated` waits for the notification behind it, which knows more. */
  const ending = new Map<string, { status: TaskEnd['status']; error: string | undefined }>();

  function start(id: string, line: Json, isInBackground: boolean): void {
    const toolId = string(line.tool_use_id);
    const task = {
      id,
      kind: lookUp(KINDS, string(line.task_type)) ?? 'other',
      toolId,
      description: string(line.description),
      background: isInBackground || undefined,
      agentType: string(line.subagent_type),
    };
    chronicle.startTask(task, chronicle.tool(toolId ?? '')?.parent);
  }

  function end(id: string, facts: Omit<Body<'task-end'>, 'id'>): void {
    ending.delete(id);
    const toolId = facts.toolId ?? chronicle.task(id)?.toolId;
    // Its sub-agent says no more.
    if (toolId !== undefined && chronicle.task(id)) speech.end(toolId);
    chronicle.endTask(id, { ...facts, toolId });
  }

  function settle(): void {
    for (const [id, facts] of ending) end(id, facts);
  }

  return {
    started(line) {
      const id = string(line.task_id);
      if (id !== undefined) start(id, line, line.is_backgrounded === true || listed.has(id));
    },

    progress(line) {
      const id = string(line.task_id);
      if (id === undefined) return;
      start(id, line, false);
      chronicle.continueTask({
        id,
        toolId: chronicle.task(id)?.toolId,
        description: string(line.description),
        summary: string(line.summary),
        lastTool: string(line.last_tool_name),
        ...taskUsage(line.usage),
      });
    },

    updated(line) {
      const id = string(line.task_id);
      const patch = object(line.patch);
      if (id === undefined || !patch) return;
      const task = chronicle.task(id);
      if (patch.is_backgrounded === true && task && !task.isInBackground)
        chronicle.continueTask({ id, toolId: task.toolId, background: true });
      const status = lookUp(STATUSES, string(patch.status));
      if (status) ending.set(id, { status, error: string(patch.error) });
    },

    notified(line) {
      const id = string(line.task_id);
      if (id === undefined) return;
      const status = lookUp(STATUSES, string(line.status)) ?? 'unknown';
      const error = ending.get(id)?.error;
      const toolId = string(line.tool_use_id);
      end(id, { status, error, toolId, summary: string(line.summary), ...taskUsage(line.usage) });
    },

    listed(line) {
      listed = new Set(objects(line.tasks).map((entry) => string(entry.task_id)));
      // The list names no tool call; the `task_started` line behind it does, so an unknown task waits for that.
      for (const id of listed) if (id !== undefined) chronicle.keepTask(id);
      settle();
    },

    settle,
  };
}

type TaskEnd = DraftOf<'task-end'>;

const KINDS: Record<string, DraftOf<'task-start'>['kind']> = {
  local_bash: 'shell',
  local_agent: 'agent',
  remote_agent: 'agent',
  in_process_teammate: 'agent',
  local_workflow: 'workflow',
  monitor_mcp: 'monitor',
  monitor: 'monitor',
};

const STATUSES: Record<string, TaskEnd['status']> = {
  completed: 'ok',
  failed: 'failed',
  stopped: 'stopped',
  killed: 'stopped',
};

function taskUsage(value: unknown): Pick<Body<'task-end'>, 'tokens' | 'toolUses' | 'durationMs'> {
  const usage = object(value);
  if (!usage) return {};
  return {
    tokens: number(usage.total_tokens),
    toolUses: number(usage.tool_uses),
    durationMs: number(usage.duration_ms),
  };
}
