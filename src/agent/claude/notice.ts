/** `system` lines other than `init`: tasks, hooks, compaction, denials, and the quiet ones of a table. What is in neither is unknown, and says so. */
import type { Loose, SessionFacts } from '../../event/index.js';
import type { Chronicle, Note } from '../chronicle/chronicle.js';
import type { Tasks } from '../claude-lines/task.js';
import { type Json, lookUp, number, object, string } from '../field.js';
import { changedFacts, names } from './session.js';

export interface Status {
  read(line: Json, bytes: number, facts: SessionFacts | undefined): void;
  /** Writes the facts that changed, if any. */
  update(before: SessionFacts, after: Loose<SessionFacts>): void;
}

export interface StatusNeeds {
  tasks: Tasks;
  retract(uuids: unknown, why: 'refused'): void;
}

export function createStatus(chronicle: Chronicle, { tasks, retract }: StatusNeeds): Status {
  const update = (before: SessionFacts, after: SessionFacts): void => {
    const changed = changedFacts(before, after);
    if (changed) chronicle.write({ type: 'session-update', ...changed });
  };

  const readers: Record<string, (line: Json, facts: SessionFacts | undefined) => void> = {
    status(line, facts) {
      const permissionMode = string(line.permissionMode);
      if (permissionMode !== undefined) update(facts ?? {}, { permissionMode });
      if (line.status === 'compacting') chronicle.startCompaction();
      else if (line.compact_result === 'failed') {
        if (chronicle.isCompacting) chronicle.endCompaction({ error: string(line.compact_error) ?? 'failed' });
      } else if (line.status === 'requesting') chronicle.write({ type: 'status', code: 'requesting' });
    },

    compact_boundary(line) {
      const facts = object(line.compact_metadata) ?? {};
      const trigger = string(facts.trigger);
      chronicle.startCompaction({ trigger });
      chronicle.endCompaction({
        trigger,
        tokensBefore: number(facts.pre_tokens),
        tokensAfter: number(facts.post_tokens),
        durationMs: number(facts.duration_ms),
      });
    },

    permission_denied(line) {
      const toolId = string(line.tool_use_id);
      const tool = chronicle.tool(toolId ?? '');
      if (tool) tool.decision = 'deny';
      const toolName = string(line.tool_name) ?? 'unknown';
      const message = string(line.message) ?? string(line.decision_reason);
      chronicle.write({ type: 'permission-deny', toolName, toolId, message }, tool?.parent);
    },

    model_refusal_fallback(line) {
      retract(line.retracted_message_uuids, 'refused');
      const status = STATUS_LINES.model_refusal_fallback?.(line);
      if (status) chronicle.write(status);
    },

    hook_started: (line) => chronicle.startHook(hookOf(line)),

    hook_response(line) {
      const outcome = line.outcome === 'error' ? 'failed' : line.outcome === 'cancelled' ? 'cancelled' : 'ok';
      const exitCode = number(line.exit_code);
      const output = string(line.output) ?? string(line.stdout) ?? string(line.stderr);
      const failed = outcome === 'ok' && exitCode !== undefined && exitCode !== 0 ? 'failed' : outcome;
      // Up to 2.0.77 only the end of a hook is told.
      chronicle.startHook(hookOf(line));
      chronicle.endHook({ ...hookOf(line), outcome: failed, exitCode, output });
    },

    task_started: (line) => tasks.started(line),
    task_progress: (line) => tasks.progress(line),
    task_updated: (line) => tasks.updated(line),
    task_notification: (line) => tasks.notified(line),
    background_tasks_changed: (line) => tasks.listed(line),
  };

  return {
    read(line, bytes, facts) {
      const subtype = string(line.subtype) ?? '';
      const reader = lookUp(readers, subtype);
      if (reader) {
        reader(line, facts);
        return;
      }
      const describe = lookUp(STATUS_LINES, subtype);
      const status = describe?.(line);
      if (status) chronicle.write(status);
      else if (status === undefined) {
        chronicle.write({ type: 'unknown', wireType: 'system', wireSubtype: subtype || undefined, bytes });
      }
    },
    update,
  };
}

interface Hook {
  id: string;
  name: string;
  event: string | undefined;
}

function hookOf(line: Json): Hook {
  const name = string(line.hook_name) ?? 'hook';
  return { id: string(line.hook_id) ?? name, name, event: string(line.hook_event) };
}

/** What a subtype says; `null` when it is known and worth no event. */
const STATUS_LINES: Record<string, (line: Json) => Note | null> = {
  api_retry: (line) => ({
    type: 'retry',
    attempt: number(line.attempt),
    maxAttempts: number(line.max_retries),
    delayMs: number(line.retry_delay_ms),
    httpStatus: number(line.error_status),
    why: string(line.error),
  }),
  thinking_tokens: (line) => ({ type: 'usage-update', thinkingTokens: number(line.estimated_tokens) }),
  informational: (line) => ({
    type: 'status',
    code: 'informational',
    text: string(line.content),
    level: levelOf(line),
  }),
  notification: (line) => ({ type: 'status', code: string(line.key) ?? 'notification', text: string(line.text) }),
  model_fallback: (line) => ({
    type: 'status',
    code: 'model-fallback',
    text: string(line.content) ?? `${string(line.original_model)} is replaced by ${string(line.fallback_model)}`,
    level: 'notice',
  }),
  model_refusal_fallback: (line) => ({
    type: 'status',
    code: 'model-refusal-fallback',
    text: string(line.content),
    level: 'notice',
  }),
  model_refusal_no_fallback: (line) => ({
    type: 'status',
    code: 'model-refusal',
    text: string(line.content) ?? string(line.api_refusal_explanation),
    level: 'warning',
  }),
  vcs_state_changed: (line) => ({
    type: 'status',
    code: `vcs-${string(line.kind) ?? 'change'}`,
    text: string(line.branch),
  }),
  code_change_published: (line) => ({
    type: 'status',
    code: 'code-change-published',
    text: [string(line.action), string(line.url) ?? string(line.identifier)].filter(Boolean).join(' '),
    level: 'notice',
  }),
  plugin_install: (line) => ({
    type: 'status',
    code: `plugin-${string(line.status) ?? 'install'}`,
    text: [string(line.name), string(line.error)].filter(Boolean).join(': ') || undefined,
    level: line.status === 'failed' ? 'warning' : undefined,
  }),
  control_request_progress: (line) =>
    line.status === 'api_retry'
      ? { type: 'retry', attempt: number(line.attempt), maxAttempts: number(line.max_retries) }
      : null,
  session_state_changed: (line) => {
    const state = lookUp(SESSION_STATES, string(line.state));
    return state ? { type: 'session-update', state } : null;
  },
  session_title_changed: (line) => ({ type: 'session-update', title: string(line.title) }),
  commands_changed: (line) => ({ type: 'session-update', commands: names(line.commands) }),
  local_command_output: (line) => ({ type: 'status', code: 'local-command-output', text: string(line.content) }),
  instruction_size_warning: (line) => ({
    type: 'status',
    code: 'instruction-size-warning',
    text: string(line.content) ?? string(line.message),
    level: 'warning',
  }),
  session_writes_lost: () => ({
    type: 'warning',
    code: 'session-writes-lost',
    message: 'The agent could not save its session.',
  }),
  worker_shutting_down: () => ({ type: 'status', code: 'worker-shutting-down' }),
  hook_progress: (line) => ({ type: 'status', code: 'hook-progress', text: string(line.hook_name) }),
  elicitation_complete: () => null,
  files_persisted: () => null,
  memory_recall: () => null,
  mirror_error: () => null,
  permission_check_status: () => null,
  per_turn_effort_changed: () => null,
  turn_duration: () => null,
};

const SESSION_STATES: Record<string, SessionFacts['state']> = {
  idle: 'idle',
  running: 'running',
  requires_action: 'waiting',
};

function levelOf(line: Json): 'info' | 'notice' | 'warning' {
  return line.level === 'warning' ? 'warning' : line.level === 'notice' ? 'notice' : 'info';
}
