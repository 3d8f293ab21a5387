/** Background work and sub-agents: several notices per task become one start and one end. */
import type { DraftOf, Payload } from '../../event/index.js';
import { type Json, lookUp, number, object, objects, string } from '../field.js';
import { createRecent } from '../recent.js';
import type { Scribe } from '../scribe.js';

type TaskStart = DraftOf<'task-start'>;
type TaskEnd = DraftOf<'task-end'>;

/** What a notice tells about the end of a task. */
type TaskFacts = Pick<TaskEnd, 'status' | 'toolId' | 'summary' | 'error' | 'tokens' | 'toolUses' | 'durationMs'>;

interface Task {
  toolId: string | undefined;
  background: boolean;
}

export interface Tasks {
  started(line: Json): void;
  progress(line: Json): void;
  updated(line: Json): void;
  notified(line: Json): void;
  /** The agent's whole list of background tasks. */
  listed(line: Json): void;
  /** Ids of tasks that go on in the background. */
  background(): string[];
  closeAll(): void;
}

export interface TaskNeeds {
  parentOf(toolId: string | undefined): string | undefined;
  /** The task of this tool call is about to be told as over: its sub-agent says no more. */
  onEnd(toolId: string | undefined): void;
}

export function createTasks(scribe: Scribe, { parentOf, onEnd }: TaskNeeds): Tasks {
  const open = new Map<string, Task>();
  const ended = createRecent(256);
  /** Named by the agent's last list of background tasks. */
  let listed: ReadonlySet<string | undefined> = new Set();
  /** A terminal `task_updated` waits for the notification behind it, which knows more. */
  const ending = new Map<string, { status: TaskEnd['status']; error: string | undefined }>();

  const write = (payload: Payload, toolId: string | undefined): void =>
    scribe.write(payload, { parent: parentOf(toolId) });

  const start = (id: string, line: Json, background: boolean): Task => {
    const known = open.get(id);
    if (known) {
      known.background ||= background;
      return known;
    }
    const task: Task = { toolId: string(line.tool_use_id), background };
    if (ended.has(id)) return task;
    open.set(id, task);
    const kind = lookUp(KINDS, string(line.task_type)) ?? 'other';
    const description = string(line.description);
    const agentType = string(line.subagent_type);
    const { toolId } = task;
    write(
      { type: 'task-start', id, kind, toolId, description, background: background || undefined, agentType },
      toolId,
    );
    return task;
  };

  const end = (id: string, facts: TaskFacts): void => {
    if (ended.has(id)) return;
    const toolId = facts.toolId ?? open.get(id)?.toolId;
    open.delete(id);
    ending.delete(id);
    ended.add(id);
    onEnd(toolId);
    write({ type: 'task-end', id, ...facts, toolId }, toolId);
  };

  const settle = (): void => {
    for (const [id, { status, error }] of ending) end(id, { status, error });
  };

  return {
    started(line) {
      const id = string(line.task_id);
      if (id !== undefined) start(id, line, line.is_backgrounded === true || listed.has(id));
    },

    progress(line) {
      const id = string(line.task_id);
      if (id === undefined || ended.has(id)) return;
      const { toolId } = start(id, line, false);
      const description = string(line.description);
      const summary = string(line.summary);
      const lastTool = string(line.last_tool_name);
      write({ type: 'task-progress', id, toolId, description, summary, lastTool, ...taskUsage(line.usage) }, toolId);
    },

    updated(line) {
      const id = string(line.task_id);
      const patch = object(line.patch);
      if (id === undefined || !patch || ended.has(id)) return;
      const task = open.get(id);
      if (patch.is_backgrounded === true && task && !task.background) {
        task.background = true;
        write({ type: 'task-progress', id, toolId: task.toolId, background: true }, task.toolId);
      }
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
      for (const [id, task] of open) if (listed.has(id)) task.background = true;
      settle();
    },

    background: () => (open.size === 0 ? [] : [...open].filter(([, task]) => task.background).map(([id]) => id)),

    closeAll() {
      settle();
      for (const id of open.keys()) end(id, { status: 'unknown' });
    },
  };
}

const KINDS: Record<string, TaskStart['kind']> = {
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

function taskUsage(value: unknown): { tokens?: number; toolUses?: number; durationMs?: number } {
  const usage = object(value);
  if (!usage) return {};
  return {
    tokens: number(usage.total_tokens),
    toolUses: number(usage.tool_uses),
    durationMs: number(usage.duration_ms),
  };
}
