/** `system` lines: one short reader per subtype. What is not in the table is unknown, and says so. */
import type { Payload, SessionFacts } from '../../event/index.js';
import { isObject, type Json, lookUp, number, object, string, strings } from '../field.js';

/** What a subtype says; `null` when it is known and worth no event. */
export const STATUS_LINES: Record<string, (line: Json) => Payload | null> = {
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

export function readSessionFacts(line: Json): SessionFacts {
  return {
    model: string(line.model),
    cwd: string(line.cwd),
    tools: strings(line.tools),
    mcpServers: mcpServers(line.mcp_servers),
    permissionMode: string(line.permissionMode),
    agentVersion: string(line.claude_code_version),
    commands: names(line.slash_commands),
    agents: strings(line.agents),
    skills: strings(line.skills),
    plugins: names(line.plugins),
  };
}

/** The facts that differ from those already told; absent when none does. */
export function changedFacts(before: SessionFacts, after: SessionFacts): SessionFacts | undefined {
  let changed: SessionFacts | undefined;
  for (const key of Object.keys(after) as (keyof SessionFacts)[]) {
    if (after[key] === undefined || isSame(before[key], after[key])) continue;
    changed = { ...changed, [key]: after[key] };
  }
  return changed;
}

export function readRateLimit(line: Json): Payload {
  const info = object(line.rate_limit_info) ?? {};
  const resetsAt = number(info.resetsAt);
  return {
    type: 'rate-limit',
    state: info.status === 'rejected' ? 'rejected' : info.status === 'allowed_warning' ? 'warning' : 'allowed',
    resetsAt: resetsAt === undefined ? undefined : resetsAt * 1000,
    window: string(info.rateLimitType),
    utilization: number(info.utilization),
  };
}

const SESSION_STATES: Record<string, SessionFacts['state']> = {
  idle: 'idle',
  running: 'running',
  requires_action: 'waiting',
};

function levelOf(line: Json): 'info' | 'notice' | 'warning' {
  return line.level === 'warning' ? 'warning' : line.level === 'notice' ? 'notice' : 'info';
}

function mcpServers(value: unknown): SessionFacts['mcpServers'] {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((server) => {
    const name = string(server) ?? string(object(server)?.name);
    return name === undefined ? [] : [{ name, status: string(object(server)?.status) }];
  });
}

/** Equal by value; long lists of names come again with every turn, so they are not turned into text to compare them. */
function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => isSame(item, b[at]));
  return a === b || (isObject(a) && isObject(b) && JSON.stringify(a) === JSON.stringify(b));
}

/** A list of names, or of objects that have one. */
export function names(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const found: string[] = [];
  for (const entry of value) {
    const name = string(entry) ?? string(object(entry)?.name);
    if (name !== undefined) found.push(name);
  }
  return found;
}
